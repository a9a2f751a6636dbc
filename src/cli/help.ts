/** The program's help and version. */
import { readFileSync } from "node:fs";
import { providers } from "../agent/models/providers.ts";

/** The bundle and the library's files lie at different depths below the package. */
export const version =
  ["../../package.json", "../../../package.json"]
    .map((path) => readVersion(new URL(path, import.meta.url)))
    .find((found) => found !== null) ?? "unknown";

export const helpText = `groundplan: plan mode, done right

  groundplan [task]              a session on the terminal; without a model key: with scout, offline
  groundplan -p <prompt>         headless run (the prompt may come on stdin)
  groundplan check <command>     would this shell command change anything?  --jsonl for many
  groundplan scout <task>        the files that matter for a task           --json
  groundplan plans               every plan again: list, show, diff, search, export, resume, rm
  groundplan review [plan]       the review page on a plan, in the browser  --no-open
  groundplan verify [plan]       runs the plan's checks: is it done, and nothing else?
  groundplan sessions            past sessions: list, show, rm              --all, --json
  groundplan team                teammates and their plans: start, inbox, show, approve, reject, status, stop
  groundplan doctor              what is available on this machine

Options of a session
  --permission-mode <mode>       default, acceptEdits, plan, auto, bypassPermissions
  --model <provider/name>        ${providers.map(({ name }) => `${name}/…`).join(", ")}, scout
  --plan-model <provider/name>   another model while planning
  --effort <low|medium|high>
  --resume [id], --continue      go on with a session; --fork to leave it as it is
  --approve <hash>               with --resume: approve exactly this plan
  --session-id <uuid>            name a new session
  --cwd <dir>, --add-dir <dir>   where to work, and where else
  --settings <file|json>
  --output-format <text|json|stream-json>, --input-format <text|stream-json>
  --channel <name>               with stream-json: the name of the channel that drives the session
  --max-turns <n>                of this run
  --allow-dangerously-skip-permissions, --dangerously-skip-permissions
  --no-sandbox, --trust
  -v, --version, -h, --help

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 plan ready but not approved, 4 limit reached, 130 interrupted.
`;

function readVersion(path: URL): string | null {
  try {
    const { name, version: found } = JSON.parse(readFileSync(path, "utf8")) as { name?: string; version?: string };
    return name === "groundplan" && found !== undefined ? found : null;
  } catch {
    return null;
  }
}
