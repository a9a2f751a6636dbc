/** Scout's git: asked so that nothing a repository configures is executed, fetched or written. */
import { ownEnvironment } from "../../agent/host/launch/environment.ts";
import { askGit } from "../../agent/host/launch/own-git.ts";

export type GitOutput = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

const settings = [
  "core.quotePath=false",
  "core.alternateRefsCommand=",
  "log.follow=false",
  "diff.external=",
  "diff.orderFile=/dev/null",
  "i18n.logOutputEncoding=UTF-8",
].flatMap((setting) => ["-c", setting]);

/** What exceeds the limit is cut off; what came before it is given. */
export async function runGit(root: string, args: readonly string[], timeoutMs = 120_000): Promise<GitOutput> {
  const place = { directory: root, environment: ownEnvironment(root), limit: 48_000_000, timeoutMs };
  const own = ["-C", root, `--work-tree=${root}`, "--literal-pathspecs", ...settings];
  const { code, bytes, complaint, isCut } = await askGit([...own, ...args], place);
  if (code === 0 || isCut) return { ok: true, text: bytes.toString("utf8") };
  return { ok: false, reason: complaint.trim().split("\n")[0] || `git ended with ${code}` };
}
