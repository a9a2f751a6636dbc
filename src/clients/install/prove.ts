/** Proves an installed entry by running its very command: a write while planning must be refused, a read and other work must not. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJson } from "../../core/wire/shape.ts";
import { probesOf, type ProvenAgent } from "./probes.ts";
import { runBounded, type BoundedEnd } from "./run-bounded.ts";

export interface Proof {
  /** A call, in words. */
  readonly what: string;
  readonly wanted: "refused" | "passed";
  readonly seen: "refused" | "passed" | "failed";
  /** What the entry said. */
  readonly said: string;
}

export interface Proving {
  readonly agent: ProvenAgent;
  /** The entry's own. */
  readonly command: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export async function proveEntry({ agent, command, environment }: Proving): Promise<readonly Proof[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "groundplan-proof-")));
  try {
    const probes = await probesOf(agent, folder);
    const proofs: Proof[] = [];
    for (const { what, wanted, payload, startedBy = [] } of probes) {
      const ended = await runBounded({
        program: "/bin/sh",
        args: startedBy.length === 0 ? ["-c", command] : ["-c", asChild, ...startedBy],
        directory: folder,
        environment: { ...environment, GROUNDPLAN_REVIEW: "off", [commandVariable]: command },
        stdin: JSON.stringify(payload),
        timeoutMs: 30_000,
      });
      proofs.push({ what, wanted, ...readingOf(ended) });
    }
    return proofs;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A shell that is called as the client, and starts the entry as the client would. */
const commandVariable = "GROUNDPLAN_PROVED_COMMAND";
const asChild = `sh -c "$${commandVariable}"; exit $?`;

/** As the clients read it: exit code 2 or a decision to deny refuses, another failure lets the call go on. */
function readingOf({ code, stdout, stderr }: BoundedEnd): Pick<Proof, "seen" | "said"> {
  if (code === 2) return { seen: "refused", said: stderr.trim() };
  if (code !== 0) return { seen: "failed", said: stderr.trim() || `exit code ${code}` };
  if (stdout.trim() === "") return { seen: "passed", said: "" };
  const answer = parseJson(stdout) as Answer | null | undefined;
  if (typeof answer !== "object" || answer === null) return { seen: "failed", said: stdout.slice(0, 200) };
  const own = answer.hookSpecificOutput;
  const isDeny = own?.permissionDecision === "deny" || ["deny", "block"].includes(String(answer.decision));
  return isDeny
    ? { seen: "refused", said: wordsOf(own?.permissionDecisionReason ?? answer.reason) }
    : { seen: "passed", said: "" };
}

function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

interface Answer {
  readonly decision?: unknown;
  readonly reason?: unknown;
  readonly hookSpecificOutput?: { readonly permissionDecision?: unknown; readonly permissionDecisionReason?: unknown };
}
