/** Which process this is, so that another one can tell later whether it still lives: a number alone is given out again. */
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { isObject, parseJson } from "../../../core/wire/shape.ts";

export interface Holder {
  readonly pid: number;
  /** Machine, boot and process namespace: within one place a pid means one thing. */
  readonly place: string;
  /** The start time as the kernel counts it; null where it does not tell. */
  readonly started: string | null;
}

export async function identify(): Promise<Holder> {
  return { pid: process.pid, place: await here(), started: await startOf(process.pid) };
}

/** Null where the text tells of no process. */
export function parseHolder(text: string): Holder | null {
  const value = parseJson(text);
  if (!isObject(value) || typeof value["pid"] !== "number") return null;
  const { pid, place, started } = value;
  return {
    pid,
    place: typeof place === "string" ? place : "",
    started: typeof started === "string" ? started : null,
  };
}

/** `unknown` for a process of another place, or of an earlier boot. */
export async function isAlive({ pid, place, started }: Holder): Promise<"yes" | "no" | "unknown"> {
  if (!Number.isInteger(pid) || pid <= 0) return "no";
  if (place !== (await here())) return "unknown";
  if (!isRunning(pid)) return "no";
  const now = await startOf(pid);
  return started === null || now === null || started === now ? "yes" : "no";
}

async function here(): Promise<string> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return [hostname(), boot.trim(), namespace].join(" ");
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Field 22 of /proc/<pid>/stat; the name before it may hold blanks and brackets. A dead process that nobody waited for has no start. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return "dead";
  return fields[19] ?? null;
}
