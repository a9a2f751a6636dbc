/** Where the launcher lies: entries and rewritten commands name it, so it stays where it is. */
import { join } from "node:path";

export function launcherPath(home: string): string {
  return join(home, "bin/guard");
}
