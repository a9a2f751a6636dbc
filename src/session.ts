/** `groundplan/session`: a whole session for programs of your own: settings, model, tools, cage and log, opened by one call. */
export { openSession, type OpenedSession, type OpenOptions } from "./program/open-session.ts";
export type { SessionWish, TeammateWish } from "./program/wish.ts";
export type { UsageError } from "./program/usage-error.ts";
