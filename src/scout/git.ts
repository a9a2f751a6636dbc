/** Runs git so that nothing a repository configures is executed, fetched or written. */
import { spawn } from "node:child_process";

export type GitOutput = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

const safe = [
  "--no-pager",
  "--no-replace-objects",
  "--literal-pathspecs",
  ...[
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.quotePath=false",
    "core.alternateRefsCommand=",
    "log.showSignature=false",
    "log.follow=false",
    "diff.external=",
    "diff.orderFile=/dev/null",
    "i18n.logOutputEncoding=UTF-8",
    "safe.bareRepository=explicit",
    "protocol.allow=never",
  ].flatMap((setting) => ["-c", setting]),
];

/** What exceeds the limit is cut off; what came before it is given. */
export function runGit(root: string, args: readonly string[], limit = 48_000_000): Promise<GitOutput> {
  return new Promise((resolve) => {
    const child = spawn("git", ["-C", root, `--work-tree=${root}`, ...safe, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: environment(),
      timeout: 120_000,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = "";
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) child.kill();
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString("utf8")).slice(0, 2000);
    });
    child.on("error", () => resolve({ ok: false, reason: "git is not installed" }));
    child.on("close", (code) => {
      if (code === 0 || size > limit) resolve({ ok: true, text: Buffer.concat(chunks).toString("utf8") });
      else resolve({ ok: false, reason: complaint.trim().split("\n")[0] || `git ended with ${code}` });
    });
  });
}

/** The user's environment without variables that point git elsewhere or make it run programs. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_PAGER: "cat",
    GIT_ATTR_NOSYSTEM: "1",
    LC_ALL: "C",
  };
}
