/** `groundplan reviews`: the page process of this config home, started by hooks; one for all agents, gone when nothing is open. */
import { once } from "node:events";
import { join } from "node:path";
import { configHome, makePrivateFolder } from "../../agent/host/config-home.ts";
import { lockSession } from "../../agent/host/files/lock.ts";
import { readRegularText, textAt } from "../../agent/host/files/read-regular.ts";
import { replaceFile } from "../../agent/host/files/replace-file.ts";
import { readPageRecord, recordFile, type PageRecord } from "../../clients/review/wire.ts";
import { clientNamed } from "../../clients/table.ts";
import { openHouse } from "../../faces/browser/server/house.ts";
import { loadPrompts } from "../../prompts/index.ts";
import { complain, tellPerson } from "../complaint.ts";
import { commandWith, value } from "../options.ts";
import { openHookDoor } from "./hook-door.ts";
import { createOffice, type Office } from "./office.ts";

const usage = `groundplan reviews   serves the review pages of other agents' plans; hooks start it, and it ends by itself
  --grace <ms>   how long it stays when nothing is open
`;

export const reviews = commandWith(
  { name: "reviews", usage, options: { grace: value } },
  async ({ values }, streams) => {
    const home = configHome();
    const tell = (line: string): void => tellPerson(streams, line);
    await makePrivateFolder(join(home, "reviews"));
    const locking = await lockSession(join(home, "reviews", "page.lock"));
    if (locking.kind === "refused") return 0;
    const { lock } = locking;
    try {
      const wanted = (await readRecord(home))?.port ?? null;
      const house = await openHouse({ wanted, tell });
      if ("problem" in house) return complain(streams, house.problem, 1);
      const office = createOffice({
        home,
        house,
        prompts: loadPrompts(),
        tell,
        titleOf: (name) => clientNamed(name)?.title ?? name,
      });
      await office.goOn();
      const door = await openHookDoor(home, office);
      const { socket, secret } = door;
      const record: PageRecord = { v: 1, pid: process.pid, port: house.port, socket, secret };
      await replaceFile(recordFile(home), `${JSON.stringify(record)}\n`);
      const isOurs = (): boolean =>
        readPageRecord(textAt(recordFile(home), { limit: 4096 }) ?? "")?.pid === process.pid;
      await untilIdle({ state: () => office.state(), isOurs }, graceOf(values.grace));
      /** The home was removed, or another process has taken its place there: nothing is written into it any more. */
      if (!isOurs()) process.exit(0);
      await replaceFile(recordFile(home), `${JSON.stringify({ ...record, socket: null })}\n`);
      await office.close();
      await door.close();
      await house.close();
    } finally {
      await lock.release();
    }
    return 0;
  },
);

async function readRecord(home: string): Promise<PageRecord | null> {
  const bounds = { direct: true, others: "refused", limit: 4096 } as const;
  return readPageRecord(await readRegularText(recordFile(home), bounds).catch(() => ""));
}

interface Grace {
  /** Nobody looks on, and nothing waits. */
  readonly idle: number;
  /** Pages are open still: a next revision comes to them. */
  readonly watched: number;
  /** A hook waits for its answer. */
  readonly awaited: number;
  /** A plan waits, though no hook does: it can be answered for so long, and afterwards when it is presented again. */
  readonly waiting: number;
}

function graceOf(given: string | undefined): Grace {
  const idle = given === undefined ? 30_000 : Number(given);
  return { idle, watched: given === undefined ? 600_000 : idle, awaited: Infinity, waiting: 24 * 3600 * 1000 };
}

interface Watched {
  readonly state: Office["state"];
  /** Whether hooks find this very process. */
  readonly isOurs: () => boolean;
}

/** Resolves when it has been so for long enough, when nobody can find it any more, or the process is told to end. */
async function untilIdle({ state: stateOf, isOurs }: Watched, grace: Grace): Promise<void> {
  const over = new AbortController();
  let state = stateOf();
  let since = performance.now();
  const look = setInterval(
    () => {
      const now = stateOf();
      if (now !== state) [state, since] = [now, performance.now()];
      if (performance.now() - since >= grace[state] || !isOurs()) over.abort();
    },
    Math.min(250, grace.idle),
  );
  const end = (): void => over.abort();
  for (const name of signals) process.once(name, end);
  await once(over.signal, "abort");
  clearInterval(look);
  for (const name of signals) process.removeListener(name, end);
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
