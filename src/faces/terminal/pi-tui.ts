/** The parts of pi-tui that the first frame needs, without those that come later (Markdown, images). */
export { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
export { parseKey, setKittyProtocolActive } from "@earendil-works/pi-tui/dist/keys.js";
export { StdinBuffer } from "@earendil-works/pi-tui/dist/stdin-buffer.js";
export { setCapabilities } from "@earendil-works/pi-tui/dist/terminal-image.js";
export { CURSOR_MARKER } from "@earendil-works/pi-tui/dist/tui.js";
export { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
