/** The three themes, dark, light and without colour: one plain function for each meaning. */
import type { Mode } from "../../../core/mode.ts";

export type Style = (text: string) => string;

export type Meaning =
  | "plan"
  | "acceptEdits"
  | "auto"
  | "bypass"
  | "error"
  | "warning"
  | "success"
  | "accent"
  | "dim"
  | "faint"
  | "heading"
  | "code"
  | "link"
  | "quote"
  | "added"
  | "removed"
  | "changed"
  | "selected"
  | "marked"
  | "bold"
  | "italic"
  | "underline"
  | "struck"
  | "plain";

export type Theme = Readonly<Record<Meaning, Style>> & {
  readonly name: "dark" | "light" | "none";
  /** The colour of a mode; the default mode has none. */
  readonly mode: (mode: Mode) => Style;
};

export interface ThemeChoice {
  /** The setting `theme`. */
  readonly setting?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `NO_COLOR` goes before the setting, the setting before what the terminal says of its background. */
export function chooseTheme({ setting, environment }: ThemeChoice): Theme {
  if ((environment["NO_COLOR"] ?? "") !== "" || environment["TERM"] === "dumb" || setting === "none") return noColour();
  if (setting === "dark") return dark();
  if (setting === "light") return light();
  return hasLightBackground(environment["COLORFGBG"]) ? light() : dark();
}

export function dark(): Theme {
  return themed("dark", {
    plan: 73,
    acceptEdits: 141,
    auto: 179,
    bypass: 203,
    error: 203,
    warning: 179,
    success: 114,
    accent: 110,
    dim: 246,
    faint: 240,
    heading: 153,
    code: 180,
    link: 110,
    quote: 246,
    added: 114,
    removed: 210,
    changed: 179,
  });
}

export function light(): Theme {
  return themed("light", {
    plan: 30,
    acceptEdits: 91,
    auto: 94,
    bypass: 160,
    error: 160,
    warning: 94,
    success: 28,
    accent: 25,
    dim: 241,
    faint: 247,
    heading: 25,
    code: 94,
    link: 25,
    quote: 241,
    added: 28,
    removed: 124,
    changed: 94,
  });
}

/** Weight and inversion stay, they are no colours; what colour says elsewhere is also said by a sign or a word. */
export function noColour(): Theme {
  return complete("none", {
    plan: none,
    acceptEdits: none,
    auto: none,
    bypass: none,
    error: bold,
    warning: bold,
    success: none,
    accent: none,
    dim: none,
    faint: none,
    heading: bold,
    code: none,
    link: underline,
    quote: none,
    added: none,
    removed: none,
    changed: none,
  });
}

/** No sequence at all, for terminals that are only printed to. */
export function unstyled(): Theme {
  const styles = {
    ...noColour(),
    selected: none,
    marked: none,
    bold: none,
    italic: none,
    underline: none,
    struck: none,
  };
  return { ...styles, error: none, warning: none, heading: none, link: none, mode: () => none };
}

type Coloured = Exclude<Meaning, "selected" | "marked" | "bold" | "italic" | "underline" | "struck" | "plain">;

const none: Style = (text) => text;
const bold = sgr("1", "22");
const italic = sgr("3", "23");
const underline = sgr("4", "24");
const inverse = sgr("7", "27");
const struck = sgr("9", "29");

function themed(name: Theme["name"], colours: Readonly<Record<Coloured, number>>): Theme {
  const styles = Object.entries(colours).map(([meaning, colour]) => [meaning, sgr(`38;5;${colour}`, "39")] as const);
  const coloured = Object.fromEntries(styles) as Record<Coloured, Style>;
  return complete(name, { ...coloured, heading: (text) => bold(coloured.heading(text)) });
}

function complete(name: Theme["name"], coloured: Readonly<Record<Coloured, Style>>): Theme {
  const styles = {
    ...coloured,
    selected: (text: string) => bold(coloured.accent(text)),
    marked: inverse,
    bold,
    italic,
    underline,
    struck,
    plain: none,
  };
  return {
    ...styles,
    name,
    mode: (mode) => {
      if (mode === "default") return styles.plain;
      return mode === "bypassPermissions" ? styles.bypass : styles[mode];
    },
  };
}

function sgr(open: string, close: string): Style {
  return (text) => (text === "" ? "" : `\u001B[${open}m${text}\u001B[${close}m`);
}

/** `COLORFGBG` is "foreground;background", sometimes with a word between; 7 and 15 are the light ones. */
function hasLightBackground(value: string | undefined): boolean {
  const background = value?.split(";").at(-1);
  return background === "7" || background === "15";
}
