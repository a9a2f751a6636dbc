/** Answers to a plan that were given while its session was not there, or in another process: kept until it hears them, once. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { shapeProblem } from "../core/event-shape.ts";
import type { Answerer, Verdict } from "../core/review.ts";
import { isObject } from "../core/shape.ts";
import { makePrivateFolder } from "./host/config-home.ts";
import { isMissing } from "./host/file-error.ts";
import { replaceFile } from "./host/replace-file.ts";

export interface KeptAnswer {
  /** Null: words on a plan that was not under review, as a `revise`. */
  readonly requestId: string | null;
  /** The plan's. */
  readonly file: string;
  /** Of the text that was shown. */
  readonly hash: string;
  readonly verdict: Verdict;
  readonly by: Answerer;
  readonly at: number;
}

/** One that was found, under the name that it can be dropped by. */
export interface FoundAnswer extends KeptAnswer {
  readonly name: string;
}

export interface AnswerStore {
  /** For this person alone, whole or not at all. An earlier one for the same request is replaced. */
  keep(answer: KeptAnswer): Promise<string>;
  /** Oldest first; what cannot be read is told once and removed. */
  list(): Promise<readonly FoundAnswer[]>;
  drop(name: string): Promise<void>;
}

/** Below the config home; the session's id is a file name of ours already. */
export function reviewsFolder(home: string, session: string): string {
  return join(home, "reviews", session.replaceAll(/[^\w-]/g, "_"));
}

export function answerStore(home: string, session: string, tell: (line: string) => void): AnswerStore {
  const folder = join(reviewsFolder(home, session), "answers");
  const drop = (name: string): Promise<void> => unlink(join(folder, name)).catch(() => undefined);
  const list = async (): Promise<readonly FoundAnswer[]> => {
    const found: FoundAnswer[] = [];
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((one) => /^[\d]+-[0-9a-f]+\.json$/.test(one)).toSorted()) {
      const text = await textOf(join(folder, name));
      if (text === null) continue;
      const answer = parse(text);
      if (answer !== null) found.push({ ...answer, name });
      else {
        tell(`an answer that was kept for this session cannot be read and was removed: ${join(folder, name)}`);
        await drop(name);
      }
    }
    return found;
  };
  return {
    list,
    drop,
    async keep(answer) {
      await makePrivateFolder(folder);
      const before = answer.requestId === null ? [] : await list();
      const name = `${String(answer.at).padStart(15, "0")}-${randomBytes(6).toString("hex")}.json`;
      await replaceFile(join(folder, name), `${JSON.stringify({ v: 1, ...answer })}\n`, 0o600);
      for (const old of before) if (old.requestId === answer.requestId) await drop(old.name);
      return name;
    },
  };
}

/** Null where it is gone by now, empty for what is not a file of ours alone. */
async function textOf(path: string): Promise<string | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) => (isMissing(error) ? null : "refused"));
  if (file === null) return null;
  if (file === "refused") return "";
  try {
    const stat = await file.stat();
    const isOurs = process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0);
    return stat.isFile() && isOurs && stat.size < largest ? await file.readFile("utf8") : "";
  } finally {
    await file.close();
  }
}

const largest = 16 * 1024 * 1024;

function parse(text: string): KeptAnswer | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value["v"] !== 1) return null;
    const { requestId, file, hash, verdict, by, at } = value;
    const event = { type: "review-decided", requestId: requestId ?? "none", verdict, by, at };
    if (shapeProblem(event) !== null || typeof file !== "string" || typeof hash !== "string") return null;
    if (requestId !== null && typeof requestId !== "string") return null;
    return { requestId, file, hash, verdict: verdict as Verdict, by: by as Answerer, at: at as number };
  } catch {
    return null;
  }
}
