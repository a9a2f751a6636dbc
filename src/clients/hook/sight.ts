/** What a row may look at beside its payload: files that the client names, bounded, and who started us. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import type { HookInput } from "../client.ts";

export const sight: Pick<HookInput, "readText" | "readTail" | "listNames" | "ancestors"> = {
  readText: (path) => readEnd(path, { most: largest, isWhole: true }),
  readTail: (path, bytes) => readEnd(path, { most: Math.min(bytes, largest), isWhole: false }),
  listNames: (directory) => orNull(() => readdirSync(directory)) ?? [],
  ancestors,
};

const largest = 64 * 1024 * 1024;

interface Wanted {
  readonly most: number;
  /** Otherwise its end counts, from the beginning of a line on. */
  readonly isWhole: boolean;
}

/** Never waits: what is no regular file is not read. */
function readEnd(path: string, { most, isWhole }: Wanted): string | null {
  return orNull(() => {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(file);
      if (!stat.isFile() || (isWhole && stat.size > most)) return null;
      const start = Math.max(0, stat.size - most);
      const buffer = Buffer.alloc(stat.size - start);
      let length = 0;
      while (length < buffer.length) {
        const count = readSync(file, buffer, length, buffer.length - length, start + length);
        if (count === 0) break;
        length += count;
      }
      const bytes = buffer.subarray(0, length);
      return bytes.subarray(start === 0 ? 0 : bytes.indexOf(10) + 1).toString("utf8");
    } finally {
      closeSync(file);
    }
  });
}

const mostAncestors = 12;

/** By /proc; elsewhere nobody is seen. */
function ancestors(): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (let id = process.ppid; id > 1 && found.length < mostAncestors;) {
    const words = orNull(() => readFileSync(`/proc/${id}/cmdline`, "utf8"));
    const stat = orNull(() => readFileSync(`/proc/${id}/stat`, "utf8"));
    if (words === null || stat === null) break;
    found.push(words.replace(/\0$/, "").split("\0"));
    id = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  }
  return found;
}

function orNull<Result>(act: () => Result): Result | null {
  try {
    return act();
  } catch {
    return null;
  }
}
