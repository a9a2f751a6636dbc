/** `groundplan/terminal`: the terminal face for programs of your own: a session's happenings in, a person's answers out. */
export { startFace } from "./faces/terminal/face.ts";
export { startPlainFace } from "./faces/terminal/plain-face.ts";
export type {
  FaceOptions,
  FaceSettings,
  FaceWish,
  PastSession,
  SessionLink,
  TerminalFace,
} from "./faces/terminal/link.ts";
export { hearRenewedChoices, type RenewedChoices } from "./faces/terminal/renewed-choices.ts";
export { terminalPerson, type TerminalPersonOptions } from "./faces/terminal/person.ts";
export type { Dialog, DialogHost, EditOutcome, Surface } from "./faces/terminal/overlays/surface.ts";
export { chooseKeys, type Action, type KeyChoice, type Keys } from "./faces/terminal/keys/keys.ts";
export { chooseTheme, type Theme } from "./faces/terminal/view/theme.ts";
export { clampLine, safeLine, safeText } from "./faces/terminal/view/safe-text.ts";
