/** What the lead wants of `groundplan team`, parsed into a value or a clear complaint. */
import type { WorkingMode } from "../../../core/mode.ts";
import { nameProblem } from "../../../mail/mailbox.ts";
import { workingModes } from "../../../core/mode.ts";
import { flag, readOptions, value } from "../../options.ts";

export type TeamWish =
  | { readonly verb: "inbox" | "status" }
  | { readonly verb: "show"; readonly id: string }
  | { readonly verb: "take"; readonly id: string }
  | { readonly verb: "stop"; readonly id: string; readonly reason: string }
  | {
      readonly verb: "approve";
      readonly id: string;
      readonly mode?: WorkingMode;
      readonly hash?: string;
      readonly notes?: string;
    }
  | { readonly verb: "reject"; readonly id: string; readonly feedback: string };

export type TeamOptions = Exclude<ReturnType<typeof parseTeamOptions>, { problem: string }>;

export function parseTeamOptions(args: readonly string[]) {
  const said = { team: value, mode: value, hash: value, feedback: value, cwd: value, settings: value };
  return readOptions(args, { ...said, json: flag, trust: flag }, { command: "groundplan team" });
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
  if (mode !== undefined && !workingModes.some((one) => one === mode))
    return { problem: `--mode takes one of ${workingModes.join(", ")}; not ${JSON.stringify(mode)}.` };
  if (hash !== undefined && !/^[0-9a-f]{64}$/.test(hash))
    return { problem: `--hash takes the plan's SHA-256, 64 lower-case hex digits; not ${JSON.stringify(hash)}.` };
  return {
    verb: "approve",
    id,
    ...(mode === undefined ? {} : { mode: mode as WorkingMode }),
    ...(hash === undefined ? {} : { hash }),
    ...(feedback === undefined ? {} : { notes: feedback }),
  };
}
