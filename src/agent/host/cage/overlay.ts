/** A copy-on-write work tree around any cage (B1.16): the program may write to it, and nothing of that remains. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Discarded } from "../../ports/ports.ts";
import { textAt } from "../files/read-regular.ts";
import type { CommandRun } from "../shell/run-command.ts";
import { overlayLauncher } from "./overlay-perl.ts";
import { numbers, type Processor } from "./seccomp-numbers.ts";
import type { Cage, Confined, Unable, CageWish } from "./types.ts";

/** The most that a program may write, in bytes of memory. */
const size = 512 * 1024 * 1024;

/** The result with what was written and is gone; null where paths or machine forbid an overlay. */
export async function runOnCopy(
  machine: { readonly perl: string | null; readonly processor: Processor | null; readonly scratch: () => string },
  run: {
    readonly cage: Cage;
    readonly wish: CageWish;
    readonly tree: string;
    readonly start: (confined: Confined) => Promise<CommandRun>;
  },
): Promise<CommandRun | Unable | null> {
  const { perl, processor } = machine;
  const { cage, wish, tree, start } = run;
  if (perl === null || processor === null || /[,:\\"\s]/.test(`${tree}${machine.scratch()}`)) return null;
  const folder = mkdtempSync(join(machine.scratch(), "o-"));
  const [space, report] = [join(folder, "space"), join(folder, "report")];
  mkdirSync(space);
  const inner = cage.confine({ ...wish, writable: tree, hide: [...wish.hide, space] });
  if ("cannot" in inner) return inner;
  const { prctl, refused } = numbers[processor];
  const [unshare, mount] = [refused[13]!, refused[9]!];
  const { memory } = inner;
  const isHere = (path: string): boolean => path.startsWith(`${tree}/`) && existsSync(path);
  const hidden = memory === undefined ? [] : wish.hide.filter(isHere);
  const places = [tree, space, size, report, (memory ?? []).join(":"), memory === undefined ? "/proc" : ""];
  const words = [prctl, unshare, mount, ...places, hidden.length].map(String);
  try {
    const argv = [perl, "-f", "-e", overlayLauncher, "--", ...words, ...hidden, ...inner.argv];
    const result = await start({ ...inner, argv });
    return { ...result, discarded: readDiscarded(textAt(report) ?? "") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether a program can write to the tree here, and nothing remains of it. */
export async function provesCopy(
  run: (command: string) => Promise<CommandRun | Unable | null>,
  tree: string,
): Promise<boolean> {
  const mark = `.groundplan-overlay-${randomUUID()}`;
  const result = await run(`echo tried > ${mark} && cat ${mark}`).catch(() => null);
  const remained = existsSync(join(tree, mark));
  if (remained) rmSync(join(tree, mark), { force: true });
  if (result === null || "cannot" in result || remained) return false;
  return result.stdout === "tried\n" && result.discarded?.files.includes(mark) === true;
}

/** `w` written, `r` removed, `=` how many there were (pure). */
export function readDiscarded(report: string): Discarded {
  const parts = report.split("\0").filter(Boolean);
  const files = parts.filter((part) => !part.startsWith("=")).map((part) => part.slice(1));
  const all = Number(parts.find((part) => part.startsWith("="))?.slice(1) ?? files.length);
  return { files, more: Math.max(0, all - files.length) };
}
