/** Rows' own probes and uses, put shortly. */
import type { ScriptedCall, ScriptedTurn } from "../../testing/loopback/turn.ts";
import { readMark } from "../place.ts";
import type { Circumstances, CrashProbe, ProbeStep } from "../probe.ts";
import type { CrashUse, ModelAsked, OwnProbe, Stage } from "./row.ts";
import { turnOf } from "./offered-ways.ts";

type Call = (asked: ModelAsked) => ScriptedCall | null;

/** A turn for each call; one that is null ends it. */
export function inTurns(...calls: readonly Call[]): OwnProbe["say"] {
  return (asked, at): ScriptedTurn | null => {
    const call = calls[at]?.(asked) ?? null;
    return call === null ? null : turnOf(call);
  };
}

export function ownProbe(id: string, title: string, say: OwnProbe["say"], circumstances: Circumstances = {}): OwnProbe {
  return { id, title, group: "its own tools", steps: [], circumstances, say };
}

/** The probe of an agent of the agent, which makes its calls in one turn. */
export function agentProbe(probe: OwnProbe, ...calls: readonly ((asked: ModelAsked) => ScriptedCall)[]): OwnProbe {
  const inside: OwnProbe["say"] = (asked, at) => (at === 0 ? { calls: calls.map((call) => call(asked)) } : null);
  return { ...probe, alone: true, inside };
}

/** The model presents its plan and goes on as if it were approved. */
export function exitProbe(id: string, title: string, circumstances: Circumstances): CrashProbe {
  const steps: ProbeStep[] = [
    { kind: "present-plan" },
    { kind: "write", path: "made.txt", text: "made\n" },
    { kind: "shell", command: "rm note.txt" },
  ];
  return { id, title, group: "its own tools", steps, circumstances };
}

/** What the model must be told while it plans: the mark of a file that was read, unless something else is said. */
export function ownUse(probe: OwnProbe, expects: CrashUse["expects"] = new RegExp(readMark)): CrashUse {
  return { ...probe, mode: expects === "changes" ? "work" : "plan", expects };
}

export function has({ circumstances }: Pick<Stage, "circumstances">, word: string): boolean {
  return circumstances.special?.includes(word) === true;
}
