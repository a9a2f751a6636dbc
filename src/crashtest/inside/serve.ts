/** The side of a leg that lives in the cage: a wish on a line, a word when all is ready, a report on a line. */
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { runLeg, type LegWish } from "./run-leg.ts";

export async function serveLeg(input: Readable, output: Writable): Promise<void> {
  const reader = createInterface({ input });
  const lines = reader[Symbol.asyncIterator]();
  const next = async (): Promise<string> => ((await lines.next()).value as string | undefined) ?? "";
  const wish = JSON.parse(await next()) as LegWish;
  const tell = (value: unknown): boolean => output.write(`${JSON.stringify(value)}\n`);
  try {
    const report = await runLeg(wish, async () => {
      tell({ ready: true });
      await next();
    });
    await new Promise<void>((resolve) => void output.write(`${JSON.stringify({ report })}\n`, () => resolve()));
  } finally {
    reader.close();
    input.destroy();
  }
}
