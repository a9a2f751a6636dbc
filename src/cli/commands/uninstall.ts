/** `groundplan uninstall <agent>`: takes exactly our own out of another agent's files again (B11.1). */
import { existsSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { applyUninstall, changesToUninstall, isChanging, type Change } from "../../clients/install/change.ts";
import { removeLauncher } from "../../clients/install/launcher.ts";
import { readClientFile } from "../../clients/install/client-file.ts";
import { fileOf, partsOf, type InstallScope } from "../../clients/install/parts.ts";
import { clientPlaces, placeOf } from "../../clients/install/places.ts";
import { installedPlugins } from "../../clients/install/plugin.ts";
import { allRecords } from "../../clients/install/record.ts";
import { answer } from "../command.ts";
import { complain, sentence, tellPerson } from "../complaint.ts";
import { commandWith, flag } from "../options.ts";
import { differenceText } from "./clients/difference.ts";
import { scopeOf } from "./clients/request.ts";
import { mayNotWrite, writeAlone } from "./clients/write-changes.ts";

const usage = `groundplan uninstall <agent>    takes our guard out of another agent: claude, codex, opencode, gemini
  --project    out of the project's own files; else out of yours
  --dry-run    only show what would be written
  --yes        write without a question
Exit codes: 0 done, 1 nothing written, 2 wrong usage.
`;
const options = { project: flag, "dry-run": flag, yes: flag };
const words = { takes: clientPlaces.map(({ name }) => name) };

export const uninstall = commandWith(
  { name: "uninstall", usage, options, words },
  async ({ values, positionals }, streams) => {
    const asked = await scopeOf(positionals, { command: "uninstall", isProject: values.project === true });
    if ("problem" in asked) return complain(streams, asked.problem, 2);
    const found = await changesToUninstall(asked, partsOf(asked));
    if ("problem" in found) return complain(streams, `${found.problem} Nothing was written.`, 1);
    streams.stdout.write(differenceText(found.changes));
    const isToDo = found.changes.some(isChanging);
    if (values["dry-run"] === true) {
      tellPerson(streams, isToDo ? "Nothing was written (--dry-run)." : nothingText(asked));
      return 0;
    }
    const wish = { shown: found.changes, yes: values.yes === true };
    const stopped = await mayNotWrite(wish, streams);
    if (stopped !== null) return stopped;
    const look = () => changesToUninstall(asked, partsOf(asked));
    const isKnown = isToDo || existsSync(asked.home);
    const apply = (changes: readonly Change[]): Promise<string | null> => takeOut(asked, changes);
    const problem = isKnown ? await writeAlone(asked, { ...wish, look, apply }) : null;
    await rmdir(asked.home).catch(() => undefined);
    if (problem !== null) return complain(streams, `${sentence(problem)} Nothing was written.`, 1);
    return answer(streams, `${isToDo ? goneText(asked) : nothingText(asked)}${await elsewhereText(asked)}`);
  },
);

function goneText(asked: InstallScope): string {
  return `${placeOf(asked.agent).title} is not guarded any more by ${fileOf(asked)}.`;
}

function nothingText(asked: InstallScope): string {
  return `${placeOf(asked.agent).title} had nothing of ours in ${fileOf(asked)}.`;
}

/** What goes on guarding, the other scope or the plugin: whoever meant that one is told how. */
async function elsewhereText(asked: InstallScope): Promise<string> {
  const isPlugin = asked.agent === "claude" && installedPlugins(asked.person).some(({ isOn }) => isOn);
  const plugin = isPlugin ? " The plugin still guards: claude plugin uninstall groundplan@groundplan" : "";
  const other: InstallScope = { ...asked, scope: asked.scope === "user" ? "project" : "user" };
  const [part] = partsOf(other);
  const read = part === undefined || part.file === fileOf(asked) ? null : await readClientFile(part.file);
  if (read === null || "problem" in read || read.text === null || !part!.isIn(read.text)) return plugin;
  const option = other.scope === "project" ? " --project" : "";
  return ` ${part!.file} still has ours: groundplan uninstall ${asked.agent}${option}${plugin === "" ? "" : `.${plugin}`}`;
}

/** The launcher goes with the last entry. */
async function takeOut(asked: InstallScope, changes: readonly Change[]): Promise<string | null> {
  const problem = await applyUninstall(asked, changes);
  const isNeeded = (await allRecords(asked.home)).length > 0 || installedPlugins(asked.person).length > 0;
  if (problem === null && !isNeeded) await removeLauncher(asked.home);
  return problem;
}
