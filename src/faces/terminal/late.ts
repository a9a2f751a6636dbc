/** What the first frame does not need: the views of the transcript, commands and completion; loaded right behind it. */
export { chooseOne } from "./overlays/choose.ts";
export { commandList } from "../../core/commands.ts";
export { completion } from "./keys/complete.ts";
export { readBack } from "./overlays/reader.ts";
export { createSubmit } from "./keys/submit.ts";
export { itemLines } from "./view/item.ts";
