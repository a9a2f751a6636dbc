/** What the lead wants of `groundplan team`, parsed into a value or a clear complaint. */
import { workingModes, type WorkingMode } from "../../../core/mode.ts";
import { nameProblem } from "../../../mail/mailbox.ts";
import type { CommandGrammar, OptionTable, VerbWords } from "../../command.ts";
import { among, file, flag, folder, oneOf, readOptions, shaped, value, type Read } from "../../options.ts";
import { sessionOptions } from "../../args.ts";

export type TeamWish =
  | { readonly verb: "inbox" | "status" }
  | { readonly verb: "show"; readonly id: string }
  | { readonly verb: "take"; readonly id: string }
  | { readonly verb: "stop"; readonly id: string; readonly reason: string }
  | {
      readonly verb: "approve";
      readonly id: string;
      readonly mode: WorkingMode | undefined;
      readonly hash: string | undefined;
      readonly notes: string | undefined;
    }
  | { readonly verb: "reject"; readonly id: string; readonly feedback: string };

const shared = { team: value, cwd: folder, settings: file, trust: flag };
const options = { ...shared, mode: among(workingModes), hash: value, feedback: value, json: flag };

export type TeamOptions = Read<typeof options>;

export function parseTeamOptions(args: readonly string[]) {
  return readOptions(args, options, { command: "groundplan team" });
}

/** For a shell's completion. */
export function teamWords(): CommandGrammar {
  const { mode, hash, feedback, json } = options;
  const started = { ...sessionOptions, team: value, "plan-required": flag, deadline: value };
  const verbs = {
    start: { options: started },
    inbox: taking({ json }),
    show: taking({ json }),
    approve: taking({ mode, hash, feedback }),
    reject: taking({ feedback }),
    status: taking({ json }),
    stop: taking({ feedback }),
    take: taking({ json }),
  };
  return { options: {}, verbs };
}

function taking(more: OptionTable): VerbWords {
  return { options: { ...shared, ...more } };
}

export function wishOf(verb: string, { values, positionals }: TeamOptions): TeamWish | { problem: string } {
  const [id, ...more] = positionals;
  const { mode, hash, feedback } = values;
  if (verb === "inbox" || verb === "status") {
    return id === undefined ? { verb } : { problem: `groundplan team ${verb} takes no ${JSON.stringify(id)}.` };
  }
  if (id === undefined || more.length > 0)
    return { problem: `groundplan team ${verb} takes exactly one id; see groundplan team inbox.` };
  if (verb === "show") return { verb, id };
  if (verb === "stop" || verb === "take") {
    const problem = nameProblem(id);
    if (problem !== null) return { problem };
    return verb === "stop" ? { verb, id, reason: feedback ?? "" } : { verb, id };
  }
  if (verb === "reject") {
    if ((feedback ?? "").trim() === "")
      return { problem: 'Say what should change: groundplan team reject <id> --feedback "…".' };
    return { verb, id, feedback: feedback! };
  }
  const problem =
    oneOf("--mode", mode, workingModes) ??
    shaped("--hash", hash, /^[0-9a-f]{64}$/, "the plan's SHA-256, 64 lower-case hex digits");
  if (problem !== null) return { problem };
  return { verb: "approve", id, mode: mode as WorkingMode | undefined, hash, notes: feedback };
}
