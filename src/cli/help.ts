/** The program's help. */
import { providers } from "../agent/models/providers.ts";
import { commandTable, type CommandRow } from "./commands/table.ts";

export const helpText = `groundplan: plan mode, done right

  groundplan [task]              a session on the terminal; without a model key: with scout, offline
  groundplan -p <prompt>         headless run (the prompt may come on stdin)
${commandTable
  .filter(({ internal = false }) => !internal)
  .map(helpLine)
  .join("\n")}

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

function helpLine({ name, takes = "", help }: CommandRow): string {
  return `  ${`groundplan ${name} ${takes}`.trimEnd().padEnd(30)} ${help}`;
}
