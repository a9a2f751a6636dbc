/** What the first frame does not need: the views of the transcript, commands and completion; loaded right behind it. */
export { chooseOne } from "./choose.ts";
export { commandList } from "../../core/commands.ts";
export { completion } from "./complete.ts";
export { readBack } from "./reader.ts";
export { createSubmit } from "./submit.ts";
export { itemLines } from "./view/item.ts";
