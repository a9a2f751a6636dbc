/** What an editor offers to choose: modes (as modes and as an option), model, effort, and slash commands. */
import type { AvailableCommand, SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import type { Elsewhere } from "../../agent/loop/line-command.ts";
import { commandList } from "../../core/commands.ts";
import { possibleModes, type Mode } from "../../core/mode.ts";
import type { Session } from "../../core/session.ts";
import type { Effort } from "../../core/settings/settings.ts";
import { autoPolicy } from "../../core/transitions/mode.ts";
import type { EditorLink } from "./link.ts";

export function modeState(session: Session): SessionModeState {
  const { permissions } = session;
  const possible = possibleModes(permissions, autoPolicy(session));
  return {
    currentModeId: permissions.mode.current,
    availableModes: possible.map((mode) => {
      const { name, description } = modeWords[mode];
      return { id: mode, name, description };
    }),
  };
}

const modeWords: Readonly<Record<Mode, { readonly name: string; readonly description: string }>> = {
  default: { name: "Default", description: "Asks before each edit and each command that may write" },
  acceptEdits: { name: "Accept edits", description: "Edits files of the project without asking" },
  plan: { name: "Plan", description: "Looks and plans; nothing is changed until you approve the plan" },
  auto: { name: "Auto", description: "A classifier answers what would be asked" },
  bypassPermissions: { name: "Bypass", description: "Asks nothing at all" },
};

export const optionIds = { mode: "mode", model: "model", effort: "effort" } as const;

export function configOptions({ handle, modelName, models, effort }: EditorLink): SessionConfigOption[] {
  const { currentModeId, availableModes } = modeState(handle.state);
  return [
    {
      type: "select",
      id: optionIds.mode,
      category: "mode",
      name: "Mode",
      currentValue: currentModeId,
      options: availableModes.map(({ id, name, description = null }) => ({ value: id, name, description })),
    },
    {
      type: "select",
      id: optionIds.model,
      category: "model",
      name: "Model",
      currentValue: modelName,
      options: models.map((name) => ({ value: name, name: name === "scout" ? "scout (offline, no key)" : name })),
    },
    {
      type: "select",
      id: optionIds.effort,
      category: "thought_level",
      name: "Effort",
      currentValue: effort ?? usual,
      options: [usual, ...efforts].map((name) => ({ value: name, name })),
    },
  ];
}

const usual = "default";
const efforts: readonly Effort[] = ["low", "medium", "high"];

/** Undefined: there is no such effort. */
export function effortNamed(name: string): Effort | null | undefined {
  return name === usual ? null : efforts.find((effort) => effort === name);
}

/** What an editor has ways of its own for. */
export const elsewhere: Elsewhere = {
  resume: "/resume is the editor's list of sessions.",
  model: "/model is the editor's choice of the model.",
  rewind: "/rewind needs a terminal; here: /undo and /redo.",
  exit: "/exit is closing the conversation in the editor; it can be resumed.",
  quit: "/quit is closing the conversation in the editor; it can be resumed.",
};

/** Those of every face that make sense here, and undo. */
export function availableCommands(): AvailableCommand[] {
  return [...commandList, ...own].flatMap(({ name, hint, summary }): AvailableCommand[] => {
    if (elsewhere[name] !== undefined) return [];
    const takes = name === "plan" ? "[off|<description>]" : hint;
    return [{ name, description: summary, input: takes === "" ? null : { hint: takes } }];
  });
}

const own = [
  { name: "undo", hint: "", summary: "files and conversation as before the last prompt" },
  { name: "redo", hint: "", summary: "takes the last undo back" },
];
