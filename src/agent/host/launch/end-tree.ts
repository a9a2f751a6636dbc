/** Ends a program with everything that it started: its group, and on Linux also what left it, by a mark in the environment. */
import { readdirSync, readFileSync } from "node:fs";

/** The variable that carries the mark. */
export const marker = "GROUNDPLAN_COMMAND";

/** The group, and children that left it. */
export function endMarked(pid: number, mark: string): void {
  endProcess(-pid);
  if (process.platform !== "linux") return;
  for (let round = 0; round < 3; round += 1) {
    const left = markedProcesses(mark);
    if (left.length === 0) return;
    left.forEach(endProcess);
  }
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** Processes that carry this command's mark in their environment. */
function markedProcesses(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(`${marker}=${mark}`))
    .map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}
