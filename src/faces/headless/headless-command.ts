/** Slash commands that a run without dialogs does not carry out. */
import type { Elsewhere } from "../../agent/loop/line-command.ts";

/** What only a terminal can do, and what does it here. */
export const elsewhere: Elsewhere = {
  resume: "/resume needs a terminal; here: --resume <id>.",
  model: "/model needs a terminal; here: --model <provider/name>.",
  review: "/review needs a terminal; here: groundplan review.",
  verify: "/verify needs a terminal; here: groundplan verify --fix.",
  exit: "/exit needs a terminal; here the run ends by itself.",
  quit: "/quit needs a terminal; here the run ends by itself.",
};
