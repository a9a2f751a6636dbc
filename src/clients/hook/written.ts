/** What only a folder with settings of Groundplan needs: reading what a person wrote there. In the bundle a part of the same file, as the judge is. */
export { openState } from "../../program/state-file.ts";
export { parseSettings } from "../../program/settings/text.ts";
