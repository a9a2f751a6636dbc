/** A plan of a session elsewhere becomes a session of this project that can go on with it (R14.4). */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sessionsFolder } from "../../agent/host/config-home.ts";
import { createFiles } from "../../agent/host/files/files.ts";
import { loadLog } from "../../agent/store/log-reader.ts";
import { openSealer, type Sealer } from "../../agent/store/log-seal.ts";
import { createPlans, type Plans } from "../../agent/store/plans.ts";
import type { Event } from "../../core/event.ts";
import { reduce } from "../../core/reduce.ts";
import { freshSession } from "../../core/session.ts";
import type { Work } from "./work.ts";
import { loadPrompts } from "../../prompts/index.ts";
import { takenPlan } from "../../prompts/render/opening.ts";
import { beginning } from "../beginning.ts";
import { readGitOrigin } from "../git-origin.ts";
import { findPlansDirectory } from "../plans-directory.ts";
import { sessionFiles } from "../session-files.ts";
import type { ResolvedSettings, ResolveRequest } from "../settings/resolve.ts";
import { isUsageError, type UsageError } from "../usage-error.ts";
import { plainWish } from "../wish.ts";

export type TakePlace = ResolvedSettings & Pick<ResolveRequest, "directory" | "root" | "home" | "tell">;

export interface Taking {
  /** The id of the session to be. */
  readonly into: string;
  /** `name@team` */
  readonly agent: string;
  readonly work: Work;
}

/** The log is one line, so that it is there wholly or not at all; whoever was stopped half way can do it again. */
export async function takeUpPlan(taking: Taking, place: TakePlace): Promise<{ readonly file: string } | UsageError> {
  const { into, work } = taking;
  const { settings, root, home, tell } = place;
  const folder = sessionsFolder(home, root);
  const sealer = await openSealer(home);
  const directory = await findPlansDirectory(settings, { root, home, tell });
  const plans = createPlans({
    files: createFiles(),
    clock: { now: Date.now, random: Math.random },
    plansDirectory: directory,
    roots: [root],
    planNames: settings.planNames,
    origin: () => readGitOrigin(root),
    report: tell,
  });
  try {
    const path = join(folder, `${into}.jsonl`);
    const file =
      (await begunEarlier(path, sealer)) ?? (await begin(taking, place, { folder, sealer, directory, plans }));
    if (typeof file !== "string") return file;
    if ((await createFiles().stat(file)) !== null) return { file };
    const { error } = await plans.write("", file, work.text);
    return error === undefined ? { file } : { problem: `The plan cannot be written to ${file}: ${error}`, exitCode: 1 };
  } finally {
    plans.letGo();
  }
}

/** The plan file of a session that an earlier try has made; what it left unfinished is taken away. */
async function begunEarlier(path: string, sealer: Sealer): Promise<string | null> {
  const loaded = await loadLog(path, sealer).catch(() => null);
  const first = loaded?.entries[0]?.event;
  if (first?.type === "session-started" && first.taken !== undefined) return first.taken.file;
  await rm(path, { force: true });
  return null;
}

interface Shelf {
  readonly folder: string;
  readonly sealer: Sealer;
  readonly directory: string;
  readonly plans: Plans;
}

async function begin(
  { into, agent, work }: Taking,
  place: TakePlace,
  { folder, sealer, directory, plans }: Shelf,
): Promise<string | UsageError> {
  const { text, record, comments, task, feedback } = work;
  const claimed = await plans.claim(task);
  if (claimed.type === "plan-claim-failed") return { problem: claimed.error, exitCode: 1 };
  const { slug, file } = claimed;
  const wish = { ...plainWish, sessionId: into, mode: "plan" } as const;
  const prompts = loadPrompts();
  const begun = await beginning({ ...place, wish, folder, plans: directory, prompts, sealer });
  if (isUsageError(begun)) return begun;
  if (!("start" in begun.beginning)) return { problem: `There is a session ${into} already.`, exitCode: 1 };
  const { start } = begun.beginning;
  const words = takenPlan(prompts, { agent, task, file, feedback, comments });
  const opening = `${start.opening ?? ""}\n\n${words}`;
  const event: Event = { ...start, opening, taken: { slug, file, text, record, comments } };
  const session = sessionFiles({ ...place, folder, sealer });
  const log = await session.open(into, 0);
  if (isUsageError(log)) return log;
  await log.append({ at: event.at, event });
  const before = freshSession();
  session.listen({ kind: "event", at: event.at, event, before, ...reduce(before, event) });
  await session.close();
  return file;
}
