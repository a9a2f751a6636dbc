/** Answers to a plan that were given while its session was not there, or in another process: kept until it hears them, once. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { hashText } from "../../core/plan/hash.ts";
import { shapeProblem } from "../../core/wire/event-shape.ts";
import type { Answerer, Verdict } from "../../core/verdict.ts";
import { isObject } from "../../core/wire/shape.ts";
import { makePrivateFolder } from "../host/config-home.ts";
import { errnoOf, isMissing } from "../host/files/file-error.ts";
import { replaceFile } from "../host/files/replace-file.ts";

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

export type AnswerStore = ReturnType<typeof answerStore>;

/** Below the config home; the session's id is a file name of ours already. */
export function reviewsFolder(home: string, session: string): string {
  return join(home, "reviews", session.replaceAll(/[^\w-]/g, "_"));
}

export function answerStore(home: string, session: string, tell: (line: string) => void) {
  const folder = join(reviewsFolder(home, session), "answers");
  /** Whether it was there: of several that drop it at once, one alone. */
  const drop = (name: string): Promise<boolean> =>
    unlink(join(folder, name)).then(
      () => true,
      () => false,
    );
  /** Oldest first; what cannot be read is told once and removed. */
  const list = async (): Promise<readonly FoundAnswer[]> => {
    const found: FoundAnswer[] = [];
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((one) => /^[\d]+-[0-9a-f]+\.json$/.test(one)).toSorted()) {
      const text = await textOf(join(folder, name));
      if (text === null) continue;
      const answer = parse(text);
      if (answer !== null) found.push({ ...answer, name });
      else if (await drop(name))
        tell(`an answer that was kept for this session cannot be read and was removed: ${join(folder, name)}`);
    }
    return found;
  };
  return {
    list,
    drop,
    /** For this person alone, whole or not at all. Null: another answer to that request is kept already, and that one stands. */
    async keep(answer: KeptAnswer): Promise<string | null> {
      await makePrivateFolder(folder);
      const text = `${JSON.stringify({ v: 1, ...answer })}\n`;
      /** One name for each request, so that the system itself lets only one answer in. */
      const name =
        answer.requestId === null
          ? `${String(answer.at).padStart(15, "0")}-${randomBytes(6).toString("hex")}.json`
          : `0-${hashText(answer.requestId).slice(0, 24)}.json`;
      const draft = join(folder, `.${name}.${randomBytes(6).toString("hex")}`);
      await replaceFile(draft, text, 0o600);
      try {
        await putOnce(draft, join(folder, name));
        return name;
      } catch (error) {
        if (errnoOf(error) === "EEXIST") return null;
        throw error;
      } finally {
        await unlink(draft).catch(() => undefined);
      }
    },
  };
}

/** The system itself refuses a second one; where there are no hard links, by a copy. */
async function putOnce(draft: string, path: string): Promise<void> {
  await link(draft, path).catch((error: unknown) => {
    if (errnoOf(error) === "EEXIST") throw error;
    return copyFile(draft, path, constants.COPYFILE_EXCL);
  });
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
