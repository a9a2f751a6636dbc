/** What `/help` and `?` say: commands and keys, as they are bound now. */
import { commandList } from "../../../core/commands.ts";
import type { Action, Keys } from "../keys/keys.ts";

export function helpText(keys: Keys): string {
  const commands = commandList.map(({ name, hint, summary }) => `${`/${name} ${hint}`.padEnd(widest)} ${summary}`);
  const bound = keyHelp.flatMap(([action, summary]) => {
    const names = fitting(keys.keysOf(action));
    return names === "" ? [] : [`${names.padEnd(widest)} ${summary}`];
  });
  return [
    "Commands",
    ...commands,
    "",
    "Keys",
    ...bound,
    `${"page up".padEnd(widest)} read back`,
    `${"esc esc".padEnd(widest)} go back to a prompt, on an empty line`,
    `${"@".padEnd(widest)} name a file`,
    "",
    "GROUNDPLAN_SCREEN_READER=1 starts without spinner and redrawing.",
  ].join("\n");
}

const widest = 27;

/** The last ones work in most terminals. */
function fitting(names: readonly string[]): string {
  const all = names.join(", ");
  return all.length <= widest || names.length < 2 ? all : fitting(names.slice(1));
}

const keyHelp: readonly (readonly [Action, string])[] = [
  ["cycleMode", "next mode"],
  ["submit", "send; while the model works it waits its turn"],
  ["newline", "new line"],
  ["cancel", "stop the turn"],
  ["leave", "clear the input; twice: leave"],
  ["endOfInput", "leave, when the input is empty"],
  ["externalEditor", "write in your editor"],
  ["expand", "open or close what tools did"],
  ["todos", "show the todos"],
  ["suspend", "to the shell and back with fg"],
  ["redraw", "draw anew"],
  ["browser", "the plan in the browser, also while you are asked"],
];
