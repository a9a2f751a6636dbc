/** Descriptors that this process was started with and would hand on: a caged program must not have them (B1.11). */
import { readdirSync, readFileSync } from "node:fs";

/** Numbers above the three streams that are not closed when another program starts; none where that cannot be seen. */
export function inheritedDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((descriptor) => descriptor > 2 && !closesOnStart(descriptor));
  } catch {
    return [];
  }
}

function closesOnStart(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & 0o2000000) !== 0;
  } catch {
    return true;
  }
}
