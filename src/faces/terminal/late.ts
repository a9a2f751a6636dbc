/** What the first frame does not need: the views of the transcript, commands and completion; loaded right behind it. */
export { completion } from "./keys/complete.ts";
export { createOverlays } from "./overlays/overlays.ts";
export { createSubmit } from "./keys/submit.ts";
export { itemLines } from "./view/item.ts";
