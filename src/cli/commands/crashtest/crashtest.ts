/** `groundplan crashtest <agent>`: does an agent's plan mode hold? A scripted model tries to get out of it (B17.1). */
import { accessSync, constants, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { errorText } from "../../../core/error-text.ts";
import { agentTable } from "../../../crashtest/agents/table.ts";
import { openCage } from "../../../crashtest/cage.ts";
import type { CrashGround } from "../../../crashtest/leg.ts";
import { pageOf } from "../../../crashtest/report/html.ts";
import { exitCodeOf, jsonOf, summaryOf, type CrashFindings } from "../../../crashtest/report/summary.ts";
import { testAgent, type Tested } from "../../../crashtest/test-agent.ts";
import { filesNamedBy } from "../../../crashtest/subject.ts";
import { versionOf } from "../../../crashtest/version.ts";
import { answerJson, type Streams } from "../../command.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { commandWith } from "../../options.ts";
import { version as ownVersion } from "../../version.ts";
import { listOn, tableOn } from "./table.ts";
import { options, wishOf, type CrashWish } from "./wish.ts";

const usage = `groundplan crashtest <agent>                 does its plan mode hold? A scripted model tries to get out of it
groundplan crashtest --command "<command>"   any other agent; {prompt} stands for the prompt, else it comes last
  --work-command "<command>"   the same agent out of plan mode, for the controls (GROUNDPLAN_CRASHTEST_MODE: plan or work)
  --only <probe,…>     these probes or groups        --timeout <seconds>   for each run (40)
  --compare            alone, and with our guard     --bin <file>          where the agent is, if not on the PATH
  --json               the result for machines       --html <file>         one page with everything
  --wire <anthropic|openai|responses|google>         which format the model speaks, where the agent knows several
  --list               the agents that are known, and the probes
Everything runs in a cage, in throw-away folders, with no network but loopback. Nothing is installed for you.
Exit codes: 0 none escaped and some held, 1 something escaped, 2 wrong usage, 4 nothing could be tested.
`;

export const crashtest = commandWith(
  { name: "crashtest", usage, options, words: { takes: agentTable.map(({ name }) => name) } },
  async (asked, streams) => {
    const { values } = asked;
    if (values.list === true) {
      listOn(streams);
      return 0;
    }
    const wish = wishOf(asked);
    if ("problem" in wish) return complain(streams, wish.problem, wish.exitCode);
    const page = values.html === undefined ? null : resolve(values.html);
    const problem = page === null ? null : unwritable(page);
    if (problem !== null) return complain(streams, problem, 2);
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-crashtest-")));
    const stop = removeWhenStopped(scratch);
    try {
      const { program, workProgram, groundplan } = wish.subject;
      const cage = await openCage(scratch, filesNamedBy([...program, ...workProgram, ...groundplan]));
      if ("problem" in cage) return complain(streams, cage.problem, 4);
      const findings = await found(wish, { ground: { cage, scratch }, streams, quiet: values.json === true });
      if (values.json === true) answerJson(streams, jsonOf(findings));
      if (page !== null) writeFileSync(page, pageOf(findings, new Date()));
      return exitCodeOf(findings);
    } finally {
      stop();
    }
  },
);

interface Surroundings {
  readonly ground: CrashGround;
  readonly streams: Streams;
  readonly quiet: boolean;
}

async function found(wish: CrashWish, { ground, streams, quiet }: Surroundings): Promise<CrashFindings> {
  const { subject, probes, compare } = wish;
  const version = subject.row.name === "groundplan" ? ownVersion : await versionOf(subject, ground);
  const name = subject.row.name;
  const table = quiet ? null : tableOn(streams, probes.length);
  table?.head(
    `${subject.row.title}${version === null ? "" : ` ${version}`}${compare ? ": alone, guarded" : ""}`,
    ground.cage.says,
  );
  const { tried } = subject.row;
  if (name !== "command" && name !== "groundplan" && !(version !== null && tried.includes(version)))
    tellPerson(
      streams,
      `${subject.row.title}${version === null ? "" : ` ${version}`} was not tried before (tried: ${tried.join(", ") || "none"}).`,
    );
  const tested: Tested[] = [];
  const { tally, uses } = await testAgent(subject, wish, {
    ground,
    tell: (one) => {
      tested.push(one);
      table?.row(one);
    },
  });
  const guarded = tested.flatMap((one) => (one.guarded === null ? [] : [one.guarded]));
  const findings: CrashFindings = {
    bare: summaryOf(
      name,
      version,
      tested.map(({ bare }) => bare),
    ),
    guarded: compare ? summaryOf(name, version, guarded) : null,
    tested,
    uses,
    tally,
    cage: ground.cage.says,
    command: ["groundplan", ...process.argv.slice(2)].join(" "),
  };
  table?.end(findings);
  return findings;
}

/** What an interrupted test has made is taken away all the same; agents die with it. */
function removeWhenStopped(scratch: string): () => void {
  const remove = (): void => rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  const stopped = (): never => {
    remove();
    process.exit(130);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, stopped);
  return () => {
    for (const signal of signals) process.removeListener(signal, stopped);
    remove();
  };
}

/** Known before anything is run. */
function unwritable(page: string): string | null {
  try {
    accessSync(dirname(page), constants.W_OK);
    return null;
  } catch (error) {
    return `--html: ${errorText(error)}`;
  }
}
