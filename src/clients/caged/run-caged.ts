/** Runs a command of another agent, which was written for our cage, in it: judged again, streamed, and never without a cage that holds. */
import { keptTests } from "../../agent/host/cage/kept-test.ts";
import { closedFolders } from "../../agent/host/cage/places.ts";
import { createGuardedShell, type GuardedShell } from "../../agent/host/shell/guarded-shell.ts";
import { shellPort } from "../../agent/host/shell/shell-port.ts";
import type { Outlet } from "../../agent/host/shell/hand-on.ts";
import { prepareCall } from "../../agent/loop/tool-bench.ts";
import type { CommandResult, JudgedCommand } from "../../agent/ports/ports.ts";
import { bashTool } from "../../agent/tools/bash.ts";
import { isInside } from "../../core/decide/access.ts";
import { decide } from "../../core/decide/decide.ts";
import { errorText } from "../../core/error-text.ts";
import { makeVisible } from "../../core/wire/visible.ts";
import { findPlansDirectory } from "../../program/plans-directory.ts";
import { loadPrompts, type Prompts } from "../../prompts/index.ts";
import { renderClientRefusal } from "../../prompts/render/client-refusal.ts";
import { layGround, type GuardGround } from "../guard/ground.ts";
import { statOf } from "../../agent/host/files/entries.ts";
import { realOf } from "../../agent/host/launch/search-path.ts";
import { unpackCaged, type CagedText } from "./caged-text.ts";
import { watchForEnd } from "./watch-for-end.ts";

export interface CagedRequest {
  /** What stood behind `run-caged`. */
  readonly args: readonly string[];
  readonly outlet: Outlet;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Nothing has run. */
const notRun = 126;
const late = 124;
/** Of a command that was killed by somebody else; the cages themselves tell a signal as 128 and its number. */
const killed = 137;
/** The client's own limit is far below this. */
const longestMinutes = 60;

/** The exit code of the command, and 126 where it was not run; never rejects. */
export async function runCaged({ args, outlet, environment }: CagedRequest): Promise<number> {
  const prompts = loadPrompts();
  const end = watchForEnd(outlet);
  const say = (text: string): void => void outlet.stderr.write(`groundplan: ${makeVisible(text)}\n`);
  try {
    const [packed = "", ...more] = args;
    const caged = more.length > 0 ? null : unpackCaged(packed);
    const result =
      caged === null ? prompts("clients-cage/garbled") : await run(caged, { environment, outlet, prompts, end });
    if (end.code() !== null) return end.code()!;
    if (typeof result === "string") {
      say(result);
      return notRun;
    }
    if (result.stderr !== "") outlet.stderr.write(result.stderr);
    notesOn(result, prompts).forEach(say);
    return result.timedOut ? late : (result.exitCode ?? killed);
  } catch (error) {
    say(prompts("clients/failed", { problem: errorText(error) }));
    return end.code() ?? notRun;
  } finally {
    end.close();
  }
}

interface Running extends Omit<CagedRequest, "args"> {
  readonly prompts: Prompts;
  readonly end: ReturnType<typeof watchForEnd>;
}

/** A text is why nothing has run. */
async function run(caged: CagedText, running: Running): Promise<CommandResult | string> {
  const { environment, prompts, end } = running;
  const { directory, project = directory } = caged;
  const odd = [directory, project].find((folder) => statOf(folder)?.isDirectory() !== true);
  if (odd !== undefined) return prompts("clients-cage/folder", { directory: odd });
  const ground = await layGround({ directory: project, runsIn: directory, planFile: null, environment });
  if ("problem" in ground) return renderClientRefusal(prompts, { kind: "settings", problem: ground.problem });
  const closed = closedTo([directory, project], ground);
  if (closed !== undefined) return prompts("clients-cage/folder", { directory: closed });
  const guarded = await openShell(ground, environment);
  const close = end.beforeLeaving(guarded.close);
  try {
    const rung = await guarded.rung();
    if (rung.kind === "none") return prompts("clients-cage/no-cage", { reason: rung.reason, advice: rung.advice });
    return await runJudged(caged.command, guarded, { ...running, ground });
  } finally {
    close();
  }
}

/** Our own home; and outside of the project what every cage closes, which working there would open. */
function closedTo(folders: readonly string[], { home, situation }: GuardGround): string | undefined {
  return folders.find((folder) => {
    const real = realOf(folder);
    const closed = isInside(real, situation.roots.project) ? [] : closedFolders();
    return [realOf(home), ...closed].some((place) => isInside(real, place));
  });
}

/** The setting `off` stays; with any other a command that cannot be caged must not run. */
async function openShell(
  { home, settings, situation }: GuardGround,
  environment: Running["environment"],
): Promise<GuardedShell> {
  const root = situation.roots.project;
  return createGuardedShell({
    projectRoot: root,
    directories: [],
    plansDirectory: await findPlansDirectory(settings, { root, home, tell: () => undefined }),
    closed: [home],
    settings: { sandbox: settings.sandbox === "off" ? "off" : "required" },
    environment,
    kept: keptTests({ home, environment, root }),
  });
}

async function runJudged(
  command: string,
  guarded: GuardedShell,
  { ground, prompts, outlet, end }: Running & { readonly ground: GuardGround },
): Promise<CommandResult | string> {
  const shell = shellPort(guarded, { mayReach: false });
  const judged: JudgedCommand[] = [];
  const remembering = {
    ...shell,
    judge: async (...asked: Parameters<typeof shell.judge>) => {
      judged[0] = await shell.judge(...asked);
      return judged[0];
    },
  };
  const look = { ...ground.look("caged"), shell: remembering };
  const call = await prepareCall({ id: "caged", tool: bashTool.name, input: { command } }, [bashTool], look);
  const decision = decide(call, { ...ground.situation, planNetwork: "readers" });
  if (decision.kind === "deny") return renderClientRefusal(prompts, { kind: "denied", denial: decision.denial });
  if (decision.kind === "ask" || decision.kind === "classify")
    return renderClientRefusal(prompts, { kind: "asked", question: decision.question, hold: "no-cage" });
  const [own] = judged;
  if (decision.kind !== "allow" || own === undefined || !own.sandboxed) return prompts("clients-cage/garbled");
  const hide = await look.refused.toHide();
  if (hide === null) return prompts("tools/bash/too-much-refused");
  const limits = { timeoutMs: longestMinutes * 60_000, signal: end.signal };
  return shell.run(own, { confined: true, planning: true, unasked: true, hide, outlet, ...limits });
}

const mostNamed = 20;

function notesOn({ timedOut, refused, discarded }: CommandResult, prompts: Prompts): readonly string[] {
  const files = discarded?.files ?? [];
  const left = files.length - mostNamed + (discarded?.more ?? 0);
  const named = `${files.slice(0, mostNamed).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
  return [
    ...(timedOut ? [prompts("clients-cage/timed-out", { minutes: String(longestMinutes) })] : []),
    ...(refused === null ? [] : [prompts("tools/bash/cage-refused", { cage: refused })]),
    ...(files.length === 0 ? [] : [prompts("tools/bash/discarded", { files: named })]),
  ];
}
