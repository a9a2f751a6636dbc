/** The three themes, dark, light and without colour: one plain function for each meaning. */
import type { Mode } from "../../../core/mode.ts";

export type Style = (text: string) => string;

export type Theme = Readonly<Record<Coloured | keyof typeof weights, Style>> & {
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
  if (setting === "dark" || setting === "light") return coloured(setting);
  return coloured(hasLightBackground(environment["COLORFGBG"]) ? "light" : "dark");
}

/** Of the 256 colours, on a dark ground and on a light one. */
const colours = {
  plan: [73, 30],
  acceptEdits: [141, 91],
  auto: [179, 94],
  bypass: [203, 160],
  error: [203, 160],
  warning: [179, 94],
  success: [114, 28],
  accent: [110, 25],
  dim: [246, 241],
  faint: [240, 247],
  heading: [153, 25],
  code: [180, 94],
  link: [110, 25],
  quote: [246, 241],
  added: [114, 28],
  removed: [210, 124],
  changed: [179, 94],
} as const;

type Coloured = keyof typeof colours;

const none: Style = (text) => text;
const bold = sgr("1", "22");
const underline = sgr("4", "24");
const weights = {
  selected: bold,
  marked: sgr("7", "27"),
  bold,
  italic: sgr("3", "23"),
  underline,
  struck: sgr("9", "29"),
  plain: none,
};

export function coloured(name: "dark" | "light"): Theme {
  return themed(name, (meaning) => sgr(`38;5;${colours[meaning][name === "dark" ? 0 : 1]}`, "39"));
}

/** Weight and inversion stay, they are no colours; what colour says elsewhere is also said by a sign or a word. */
export function noColour(): Theme {
  const heavy = { error: bold, warning: bold, link: underline };
  return { ...themed("none", () => none), ...heavy };
}

/** No sequence at all, for terminals that are only printed to. */
export function unstyled(): Theme {
  const theme = noColour();
  const plain = Object.fromEntries(Object.keys(theme).map((name) => [name, none]));
  return { ...theme, ...plain, name: "none", mode: () => none };
}

function themed(name: Theme["name"], styleOf: (meaning: Coloured) => Style): Theme {
  const named = Object.keys(colours).map((meaning) => [meaning, styleOf(meaning as Coloured)] as const);
  const styles = Object.fromEntries(named) as Record<Coloured, Style>;
  const { accent, heading, bypass } = styles;
  return {
    ...styles,
    ...weights,
    heading: (text) => bold(heading(text)),
    selected: (text) => bold(accent(text)),
    name,
    mode: (mode) => (mode === "default" ? none : mode === "bypassPermissions" ? bypass : styles[mode]),
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
