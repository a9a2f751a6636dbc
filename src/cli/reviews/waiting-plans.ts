/** Notes on plans that wait for an answer: hooks look at them, so that being told of an answer costs next to nothing. */
import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../../agent/host/config-home.ts";
import { readRegularText } from "../../agent/host/files/read-regular.ts";
import { replaceFile } from "../../agent/host/files/replace-file.ts";
import {
  readWaiting,
  waitingFolder,
  waitingName,
  waitingPrefix,
  type PresentBody,
  type WaitingRecord,
} from "../../clients/review/wire.ts";

export async function noteWaiting(
  home: string,
  { client, session, directory }: Pick<PresentBody, "client" | "session" | "directory">,
  { root, waits }: { readonly root: string; readonly waits: boolean },
): Promise<void> {
  const path = join(waitingFolder(home), waitingName(client, session, root));
  if (!waits) return unlink(path).catch(() => undefined);
  await makePrivateFolder(waitingFolder(home));
  const record: WaitingRecord = { v: 1, client, session, directory };
  await replaceFile(path, `${JSON.stringify(record)}\n`);
}

export async function waitingOf(
  home: string,
  client: PresentBody["client"],
  session: string,
): Promise<readonly WaitingRecord[]> {
  const folder = waitingFolder(home);
  const names = await readdir(folder).catch(() => []);
  const own = names.filter((name) => name.startsWith(waitingPrefix(client, session)));
  const bounds = { direct: true, others: "refused", limit: 64 * 1024 } as const;
  const texts = await Promise.all(own.map((name) => readRegularText(join(folder, name), bounds).catch(() => "")));
  return texts.flatMap((text) => {
    const record = readWaiting(text);
    return record?.client === client && record.session === session ? [record] : [];
  });
}
