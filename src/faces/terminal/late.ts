/** What the first frame does not need: the views of the transcript, commands and completion; loaded right behind it. */
export { commandList } from "../../core/commands.ts";
export { completion } from "./complete.ts";
export { createSubmit } from "./submit.ts";
export { itemLines } from "./view/item.ts";
