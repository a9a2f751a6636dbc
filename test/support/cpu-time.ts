/** How much work something was: a busy machine takes longer for it, not more. */
import { readFileSync } from "node:fs";

/** Milliseconds that this thread has had a processor so far; where the system does not tell, those of the whole process. */
export function cpuTime(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1_000_000;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}
