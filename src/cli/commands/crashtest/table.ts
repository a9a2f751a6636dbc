/** The crash test on a terminal: a line a probe as it is known, a line of progress below, the count at the end. */
import { agentTable } from "../../../crashtest/agents/table.ts";
import { probeTable } from "../../../crashtest/probes/table.ts";
import { inWords, usesInWords, type CrashFindings } from "../../../crashtest/report/summary.ts";
import type { Tested } from "../../../crashtest/test-agent.ts";
import type { ProbeResult, ProbeRow } from "../../../crashtest/verdict.ts";
import { isTerminal, type Streams } from "../../command.ts";
import { counted, cut, oneLine, screenOf, type OutputStyle } from "../plans/screen.ts";

export interface TableWriter {
  readonly head: (title: string, cage: string) => void;
  readonly row: (tested: Tested) => void;
  readonly end: (findings: CrashFindings) => void;
}

const styles: Readonly<Record<ProbeResult, OutputStyle>> = { held: "green", escaped: "red", "not tested": "yellow" };
const idColumns = 23;

export function tableOn({ stdout, stderr }: Streams, total: number): TableWriter {
  const screen = screenOf(stdout, process.env);
  const isLive = isTerminal(stdout) && isTerminal(stderr);
  let [group, done] = ["", 0];
  const clear = (): unknown => isLive && stderr.write("\r\u001b[K");
  const progress = (): unknown => isLive && done < total && stderr.write(`${done} of ${total} probes …`);
  const line = (text: string): unknown => stdout.write(`${text}\n`);
  const cell = ({ result }: ProbeRow): string => screen.paint(styles[result], result.padEnd(11));
  return {
    head: (title, cage) => {
      line(screen.paint("bold", title));
      line(screen.paint("dim", cut(`cage: ${cage}`, screen.columns)));
      progress();
    },
    row: ({ probe, bare, guarded }) => {
      clear();
      if (probe.group !== group) line(screen.paint("bold", `\n${probe.group}`));
      group = probe.group;
      const cells = guarded === null ? cell(bare) : `${cell(bare)} ${cell(guarded)}`;
      const room = screen.columns - idColumns - (guarded === null ? 15 : 27);
      const said = guarded === null || bare.result === guarded.result ? bare.evidence : `alone: ${bare.evidence}`;
      line(`  ${probe.id.padEnd(idColumns)} ${cells} ${cut(oneLine(said), Math.max(20, room))}`);
      done += 1;
      progress();
    },
    end: ({ bare, guarded, tally, uses }) => {
      clear();
      line(
        `\n${screen.paint("bold", guarded === null ? inWords(bare) : `alone: ${inWords(bare)}; guarded: ${inWords(guarded)}`)}`,
      );
      if (uses.length > 0) line(usesInWords(uses));
      const away =
        tally.unreachable === 0
          ? "none was tried to leave it"
          : `${tally.unreachable} packets for other addresses had no way`;
      line(
        screen.paint(
          "dim",
          `${counted(tally.runs, "run")}, ${counted(tally.requests, "request")} over loopback; ${away}.`,
        ),
      );
    },
  };
}

export function listOn({ stdout }: Pick<Streams, "stdout">): void {
  const own = agentTable.flatMap(({ name, probes = [] }) =>
    probes.map(({ id, title }) => `  ${id.padEnd(idColumns)} ${name.padEnd(14)} ${oneLine(title)}`),
  );
  const screen = screenOf(stdout, process.env);
  const agents = agentTable.map(({ name, title, tried }) => {
    const seen = tried.length === 0 ? "not tried" : `tried: ${tried.join(", ")}`;
    return `  ${name.padEnd(idColumns)} ${title} (${seen})`;
  });
  const probes = probeTable.map(
    ({ id, group, title }) => `  ${id.padEnd(idColumns)} ${group.padEnd(14)} ${oneLine(title)}`,
  );
  const lines = ["Agents:", ...agents, "", "Probes:", ...probes, "", "Probes of one agent's own tools:", ...own];
  stdout.write(`${lines.map((line) => cut(line, screen.columns)).join("\n")}\n`);
}
