/** Is replaying a log linear? 5,000, 10,000 and 20,000 events of a long session, decoded and reduced. */
import { decodeLog, encodeEntry } from "../src/core/wire/log-format.ts";
import { reduce, replay } from "../src/core/reduce.ts";
import type { Event } from "../src/core/event.ts";
import { freshSession } from "../src/core/session.ts";

const sizes = [5_000, 10_000, 20_000];
const logs = sizes.map((size) => longLog(size));
logs.forEach((log) => measure(log));
const times = logs.map((log) => Math.min(measure(log), measure(log), measure(log)));
sizes.forEach((size, index) => {
  const ratio = times[index]! / times[0]! / (size / sizes[0]!);
  console.log(
    `${String(size).padStart(6)} events  ${times[index]!.toFixed(0).padStart(5)} ms  ${ratio.toFixed(2)} × linear from the first`,
  );
});

function measure(text: string): number {
  const start = performance.now();
  const { entries, problems } = decodeLog(text);
  const session = replay(
    freshSession(),
    entries.map(({ event }) => event),
  );
  const took = performance.now() - start;
  if (problems.length > 0 || session.transcript.length === 0) throw new Error("The benchmark's log is wrong.");
  return took;
}

/** A person speaks, the model reads three files and answers; now and then a plan is written, rejected and approved. */
function longLog(size: number): string {
  let session = freshSession();
  const lines: string[] = [];
  const send = (event: Event): void => {
    session = reduce(session, event).session;
    lines.push(encodeEntry({ at: lines.length, event }));
  };
  send({
    type: "session-started",
    id: "bench",
    at: 0,
    actor: { kind: "main" },
    roots: { project: "/repo", home: "/home" },
    mode: "plan",
    bypassAvailable: false,
    reviewable: true,
    rules: { allow: ["Bash(npm test)"], ask: [], deny: ["Read(.env)"] },
    runners: ["Bash"],
    settings: freshSession().settings,
    auto: { optedIn: false, gateOpen: false },
  });
  for (let turn = 0; lines.length < size; turn += 1) {
    send({ type: "user-said", text: `Look at part ${turn}` });
    if (turn === 0)
      send({ type: "plan-claimed", slug: "p", file: "/plans/p.md", origin: { branch: null, commit: null } });
    const calls = [1, 2, 3].map((part) => ({
      id: `c${turn}-${part}`,
      tool: "Read",
      input: { file_path: `/repo/src/file-${turn}-${part}.ts` },
      access: { kind: "read" as const, paths: [`/repo/src/file-${turn}-${part}.ts`] },
      subjects: [{ rule: "Read", path: `/repo/src/file-${turn}-${part}.ts` }],
    }));
    send({
      type: "model-replied",
      request: session.turn.thinking ?? 0,
      content: [{ type: "text", text: "Reading." }],
      calls,
    });
    const output = { content: [{ type: "text", text: "export const value = 1;\n".repeat(20) }] };
    for (const { id } of calls) send({ type: "tool-finished", callId: id, output, isError: false });
    send({
      type: "model-replied",
      request: session.turn.thinking ?? 0,
      content: [{ type: "text", text: "Done." }],
      calls: [],
    });
  }
  return lines.join("\n");
}
