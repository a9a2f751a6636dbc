/** Answers on the way to another call than the one that asked: kept for the very same text, and given out as often as it was asked for. */
import { unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { reviewsFolder } from "../../agent/answers/kept-answers.ts";
import { makePrivateFolder } from "../../agent/host/config-home.ts";
import { readRegularText } from "../../agent/host/files/read-regular.ts";
import { replaceFile } from "../../agent/host/files/replace-file.ts";
import type { PlanAnswer } from "../../clients/review/plan-answer.ts";
import { isPlanAnswer } from "../../clients/review/wire.ts";
import { fields, number, parseJson, text, type Check } from "../../core/wire/shape.ts";

export interface Undelivered {
  /** Of the text that was presented. */
  readonly hash: string;
  readonly at: number;
  readonly answer: PlanAnswer;
  /** So often it is given out; once where it is left out. */
  readonly times?: number;
}

export type UndeliveredAnswers = ReturnType<typeof undeliveredAnswers>;

export interface UndeliveredKind {
  readonly file: string;
  readonly keptMs: number;
}

/** The hook that waited for it has not said yet that it has it. */
export const missedAnswer: UndeliveredKind = { file: "undelivered.json", keptMs: 12 * 3600 * 1000 };
/** It was given before the client asks, which it does as soon as the hooks of others let it. */
export const heldAnswer: UndeliveredKind = { file: "held.json", keptMs: 10 * 60 * 1000 };

export function undeliveredAnswers(home: string, session: string, { file, keptMs }: UndeliveredKind) {
  const path = join(reviewsFolder(home, session), file);
  const drop = (): Promise<void> => unlink(path).catch(() => undefined);
  const keep = async (kept: Undelivered): Promise<void> => {
    await makePrivateFolder(dirname(path));
    await replaceFile(path, `${JSON.stringify({ v: 1, ...kept })}\n`);
  };
  const read = async (hash: string): Promise<Undelivered | null> => {
    const bounds = { direct: true, others: "refused", limit: largest } as const;
    const found = parseJson(await readRegularText(path, bounds).catch(() => ""));
    if (!isKept(found)) return null;
    const kept = found as Undelivered;
    const age = Date.now() - kept.at;
    return kept.hash === hash && age >= 0 && age < keptMs ? kept : null;
  };
  return {
    drop,
    keep,
    /** Once more than it is kept for already. */
    async keepAgain(given: Undelivered): Promise<void> {
      const kept = await read(given.hash);
      const isSame = kept !== null && isDeepStrictEqual(kept.answer, given.answer);
      await keep({ ...given, times: isSame ? (kept.times ?? 1) + 1 : 1 });
    },
    /** Stays until it is acknowledged; one for another text is gone from then on. */
    async find(hash: string): Promise<PlanAnswer | null> {
      const kept = await read(hash);
      if (kept === null) await drop();
      return kept?.answer ?? null;
    },
    async acknowledge(hash: string): Promise<void> {
      if ((await read(hash)) !== null) await drop();
    },
    /** Gone from then on, whether it fits or not, unless it was asked for more than once. */
    async take(hash: string): Promise<PlanAnswer | null> {
      const kept = await read(hash);
      await drop();
      if (kept === null) return null;
      const times = (kept.times ?? 1) - 1;
      if (times > 0) await keep({ ...kept, times });
      return kept.answer;
    },
  };
}

const times: Check = (value) => value === undefined || number(value);
const isKept = fields({ v: (value) => value === 1, hash: text, at: number, answer: isPlanAnswer, times });
const largest = 16 * 1024 * 1024;
