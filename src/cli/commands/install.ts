/** `groundplan install <agent>`: puts our guard and review into another agent, and proves that it holds (B11.1). */
import { applyInstall, changesToInstall, isChanging, type Change } from "../../clients/install/change.ts";
import { putLauncher } from "../../clients/install/launcher.ts";
import { partsOf } from "../../clients/install/parts.ts";
import { clientPlaces } from "../../clients/install/places.ts";
import type { Streams } from "../command.ts";
import { complain, sentence, tellPerson } from "../complaint.ts";
import { commandWith, flag } from "../options.ts";
import { differenceText } from "./clients/difference.ts";
import { launcherOf, scopeOf } from "./clients/request.ts";
import { tellGuarded } from "./clients/tell-guarded.ts";
import { mayNotWrite, writeAlone } from "./clients/write-changes.ts";

const usage = `groundplan install <agent>    guard and review for another agent: claude, codex, opencode, gemini
  --project    into the project's own files, for everybody who works on it; else into yours
  --dry-run    only show what would be written
  --yes        write without a question
It shows what it will write, keeps everything else in the file, and runs the entry to prove it.
Exit codes: 0 guarded, 1 nothing written, 2 wrong usage, 3 written but not guarded yet.
`;
const options = { project: flag, "dry-run": flag, yes: flag };
const words = { takes: clientPlaces.map(({ name }) => name) };

export const install = commandWith(
  { name: "install", usage, options, words },
  async ({ values, positionals }, streams) => {
    const asked = await scopeOf(positionals, { command: "install", isProject: values.project === true });
    if ("problem" in asked) return complain(streams, asked.problem, 2);
    const found = await changesToInstall(asked, partsOf(asked));
    if ("problem" in found) return complain(streams, `${found.problem} Nothing was written.`, 1);
    streams.stdout.write(differenceText(found.changes));
    if (values["dry-run"] === true) return tellDry(streams, found.changes);
    const wish = { shown: found.changes, yes: values.yes === true };
    const stopped = await mayNotWrite(wish, streams);
    if (stopped !== null) return stopped;
    const problem = await writeAlone(asked, {
      ...wish,
      look: () => changesToInstall(asked, partsOf(asked)),
      async apply(changes) {
        await putLauncher(launcherOf(asked.home));
        return applyInstall(asked, changes);
      },
    });
    if (problem !== null) return complain(streams, `${sentence(problem)} Nothing was written.`, 1);
    return tellGuarded(asked, streams);
  },
);

function tellDry(streams: Streams, changes: readonly Change[]): number {
  tellPerson(streams, changes.some(isChanging) ? "Nothing was written (--dry-run)." : "Everything is there already.");
  return 0;
}
