/** What the terminal's first frame does without: known when the session's parts are loaded. */
import type { SessionWords } from "../../faces/terminal/screen/entries.ts";

export interface LateProgram {
  words: SessionWords;
}
