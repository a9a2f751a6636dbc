/** Whether a cage can be expected here, as far as a look at the disk tells: a hook has no time for more, and `run-caged` tests before anything runs. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findBinary, rungsTakenAway } from "../../agent/host/cage/find.ts";
import { isProcessor } from "../../agent/host/cage/seccomp.ts";
import { namesIn } from "../../agent/host/files/entries.ts";
import { textAt } from "../../agent/host/files/read-regular.ts";
import { findProgram } from "../../agent/host/launch/find-program.ts";
import { searchPath } from "../../agent/host/launch/search-path.ts";
import { rungNames, type RungName } from "../../agent/ports/rung-names.ts";

/** The first rung whose program is here. */
export function offeredRung(environment: Readonly<Record<string, string | undefined>>, root: string): RungName | null {
  const path = searchPath({ path: environment["PATH"], directories: [root], home: environment["HOME"] });
  const without = rungsTakenAway(environment);
  const onLinux = process.platform === "linux" && isProcessor(process.arch);
  const isHere: Readonly<Record<RungName, () => boolean>> = {
    bubblewrap: () => onLinux && findProgram("bwrap", path) !== null,
    "landlock-perl": () => onLinux && findBinary("perl", path) !== null,
    "landlock-python": () => onLinux && findBinary("python3", path) !== null,
    "sandbox-exec": () => process.platform === "darwin" && existsSync("/usr/bin/sandbox-exec"),
  };
  return rungNames.find((name) => !without.includes(name) && isHere[name]()) ?? null;
}

/** Whether any test of a cage is on record as failed; whether it counts here, and still, only the whole record tells. */
export function hasFailedTests(home: string): boolean {
  const folder = join(home, "cages");
  return namesIn(folder).some((name) => textAt(join(folder, name))?.includes('"rung":null') !== false);
}
