/** The verdict on one command line. */
import type { ParsedScript } from "unbash";
import { parse } from "unbash";
import { analyseScript, analyseUncalled } from "./analyse.ts";
import { serialise } from "./serialise.ts";
import { findUnreadable } from "./text.ts";
import type { ShellCommand, ShellSituation, ShellVerdict, Span } from "./types.ts";
import { startWalk, type WalkFindings } from "./walk.ts";

/** Never throws. */
export function verdict(command: string, situation: ShellSituation): ShellVerdict {
  const unreadable = findUnreadable(command);
  if (unreadable !== null) {
    const { reason, at } = unreadable;
    return unparsed(reason, at === null ? null : [at, at + 1]);
  }
  try {
    return analyse(command, situation);
  } catch (error) {
    return unparsed(`it could not be analysed: ${error instanceof Error ? error.message : String(error)}`, null);
  }
}

function analyse(command: string, situation: ShellSituation): ShellVerdict {
  const script = parse(command);
  const [error] = script.errors ?? [];
  if (error !== undefined) return unparsed(`it could not be parsed: ${error.message}`, [error.pos, error.pos]);
  if (script.commands.length === 0) return unparsed("there is no command", null);
  const walk = startWalk(situation);
  analyseScript(script, walk);
  analyseUncalled(walk);
  const { findings } = walk;
  const canonical = serialise(script);
  const proved = findings.worst === "read-only";
  const exact = canonical !== null || !proved;
  return {
    verdict: exact ? findings.worst : "unproven",
    reason: proved
      ? exact
        ? "every part of it only reads"
        : "it has a part that cannot be written down exactly"
      : findings.reason,
    span: findings.span,
    canonical,
    parts: [...findings.parts],
    ...provedIn(findings),
    reads: [...findings.reads],
    edits: findings.edits !== null && findings.edits.size > 0 ? [...findings.edits] : null,
    network: findings.network,
    gitDirectories: [...findings.gitDirectories],
    commands: findings.commands,
    opaque: findings.opaque,
    starts: findings.starts,
    query: exact && proved && findings.network && isAlone(script, findings.commands),
  };
}

function provedIn({ parts, doubts, opaque }: WalkFindings): Halves {
  const isProved = (part: string): boolean => !doubts.parts.has(part) && !setsNames.test(part);
  const proved = doubts.stray || opaque ? [] : [...parts].filter(isProved);
  const places = doubts.places === null ? null : [...doubts.places];
  return { proved, redirected: [...doubts.redirected], loose: doubts.stray, places };
}

/** A name that may stand in the environment already reaches the parts behind it with its new value, and no rule spoke of that. */
const setsNames =
  /^\w*[A-Z]\w*(\[[^\]]*\])?\+?=|^(read|mapfile|readarray|declare|typeset|local|readonly|export|unset|getopts|let|printf\s+-v)\b.*[A-Z]/s;

type Halves = Pick<ShellVerdict, "proved" | "redirected" | "loose" | "places">;

/** One simple command of literal words that starts no other, with at most its errors thrown away or joined. */
function isAlone({ commands }: ParsedScript, started: readonly ShellCommand[]): boolean {
  const [only, ...more] = commands;
  if (only?.command.type !== "Command" || only.background === true || more.length > 0) return false;
  const { prefix, redirects } = only.command;
  if (prefix.length > 0 || redirects.some(({ operator }) => !/^(>|>&)$/.test(operator))) return false;
  return started.length === 1 && !started[0]!.words.includes(null);
}

function unparsed(reason: string, span: Span | null): ShellVerdict {
  return {
    verdict: "unproven",
    reason,
    span,
    canonical: null,
    parts: [],
    proved: [],
    redirected: [],
    loose: true,
    places: null,
    reads: [],
    edits: null,
    network: false,
    gitDirectories: [],
    commands: [],
    opaque: true,
    starts: true,
    query: false,
  };
}
