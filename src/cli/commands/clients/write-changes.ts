/** How `install` and `uninstall` write: a person says yes to what was shown, and nothing else is written, alone among all installs. */
import { join } from "node:path";
import { makePrivateFolder } from "../../../agent/host/config-home.ts";
import { LockTimeoutError, whileLocked } from "../../../agent/host/files/lock.ts";
import { isChanging, type Change, type Changes } from "../../../clients/install/change.ts";
import type { InstallScope } from "../../../clients/install/parts.ts";
import { placeOf } from "../../../clients/install/places.ts";
import { errorText } from "../../../core/error-text.ts";
import { askYes } from "../../ask.ts";
import { isInteractive, type Streams } from "../../command.ts";
import { complain } from "../../complaint.ts";

export interface WriteWish {
  /** What the person was shown. */
  readonly shown: readonly Change[];
  /** They said yes beforehand, to whatever it is. */
  readonly yes: boolean;
}

/** The exit code where it must not be written; null where it may. */
export async function mayNotWrite({ shown, yes }: WriteWish, streams: Streams): Promise<number | null> {
  if (yes || !shown.some(isChanging)) return null;
  if (!isInteractive(streams))
    return complain(streams, "Nobody can be asked here: --yes writes it. Nothing was written.", 2);
  return (await askYes(streams, "Write this?")) ? null : complain(streams, "Nothing was written.", 1);
}

export interface Writing extends WriteWish {
  /** What would change now. */
  readonly look: () => Promise<Changes>;
  /** Says what went wrong. */
  readonly apply: (changes: readonly Change[]) => Promise<string | null>;
}

/** Why nothing was written; null where it was. */
export async function writeAlone(asked: InstallScope, writing: Writing): Promise<string | null> {
  const { look, apply, shown, yes } = writing;
  try {
    await makePrivateFolder(asked.home);
    return await whileLocked(join(asked.home, "install.lock"), async () => {
      const now = await look();
      if ("problem" in now) return now.problem;
      if (!yes && isOther(now.changes, shown)) return `${placeOf(asked.agent).title}'s files changed meanwhile.`;
      return apply(now.changes);
    });
  } catch (error) {
    return error instanceof LockTimeoutError ? `Another install is under way: ${error.message}` : errorText(error);
  }
}

function isOther(changes: readonly Change[], shown: readonly Change[]): boolean {
  return changes.some((change, index) => {
    const { before, after } = shown[index]!;
    return isChanging(change) && (change.before !== before || change.after !== after);
  });
}
