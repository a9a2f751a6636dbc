// The commit that a build is made of, for `groundplan --version`; null where there is no git, or the repository around it is another one.
import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";

export function commitOf(folder) {
  const ask = (...args) =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    if (realpathSync(ask("rev-parse", "--show-toplevel")) !== realpathSync(folder)) return null;
    const isChanged = ask("status", "--porcelain", "--untracked-files=no") !== "";
    return `${ask("rev-parse", "--short=12", "HEAD")}${isChanged ? " with changes" : ""}`;
  } catch {
    return null;
  }
}
