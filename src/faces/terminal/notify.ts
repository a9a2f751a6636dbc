/** Tells the person that an answer is awaited when the terminal is not in front (B8.7). */

export interface NotifyFacts {
  readonly setting: "auto" | "bell" | "desktop" | "off";
  /** Null: the terminal has not said. */
  readonly focused: boolean | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The bytes to send; empty when there is nothing to say. The text is ours, never foreign. */
export function notification(text: string, { setting, focused, environment }: NotifyFacts): string {
  if (setting === "off" || focused === true) return "";
  if (setting === "bell") return bell;
  if (setting === "desktop") return desktop(text, environment);
  if (focused === null) return "";
  return knowsDesktop(environment) ? desktop(text, environment) : bell;
}

const bell = "\u0007";

function desktop(text: string, environment: NotifyFacts["environment"]): string {
  const isVte = environment["VTE_VERSION"] !== undefined || (environment["TERM"] ?? "").startsWith("rxvt");
  return isVte ? `\u001B]777;notify;Groundplan;${text}\u0007` : `\u001B]9;Groundplan: ${text}\u0007`;
}

function knowsDesktop(environment: NotifyFacts["environment"]): boolean {
  const program = environment["TERM_PROGRAM"] ?? "";
  if (environment["TMUX"] !== undefined) return false;
  return /^(iTerm\.app|WezTerm|ghostty)$/.test(program) || environment["KITTY_WINDOW_ID"] !== undefined;
}
