/** The program's help, and the examples of each command, from the table of commands. */
import { providers } from "../agent/models/providers.ts";
import { modes } from "../core/mode.ts";
import type { CommandExample, CommandRow } from "./command.ts";

/** Of a session. */
export const sessionExamples: readonly CommandExample[] = [
  { typed: 'groundplan "add a health check" --model scout', shows: "…# Add a health check\n…" },
  {
    typed: 'groundplan -p "add a health check" --permission-mode plan --output-format json',
    shows: '…{"type":"result",…',
  },
];

export function helpText(table: readonly CommandRow[]): string {
  return `groundplan: plan mode, done right

  groundplan [task]              a session on the terminal; without a model key: with scout, offline
  groundplan -p <prompt>         headless run (--print; the prompt may come on stdin)
${table
  .filter(({ internal = false }) => !internal)
  .map(helpLine)
  .join("\n")}

Options of a session
  --permission-mode <mode>       ${modes.join(", ")}
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
${examplesText(sessionExamples)}`;
}

/** Empty where there are none. */
export function examplesText(examples: readonly CommandExample[] = []): string {
  const lines = examples.flatMap(({ typed, shows }) => [`$ ${typed}`, ...(shows === "…" ? [] : shows.split("\n"))]);
  return lines.length === 0 ? "" : `\nFor example\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

function helpLine({ name, takes = "", help }: CommandRow): string {
  return `  ${`groundplan ${name} ${takes}`.trimEnd().padEnd(30)} ${help}`;
}
