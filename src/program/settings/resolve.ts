/** The settings in force for a session's wish; what a project may not do is said aloud. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { runnerRules } from "../../agent/tools/rule-names.ts";
import { ruleProblem } from "../../core/decide/rules.ts";
import type { Ignored, Settings } from "../../core/settings/settings.ts";
import type { SettingsFile } from "../../core/settings/shape.ts";
import type { Workplace } from "../place.ts";
import type { SessionWish } from "../wish.ts";
import { notBuilt, notBuiltText } from "./not-built.ts";
import { ignoredLines, settingsInForce } from "./in-force.ts";
import { problemText } from "./text.ts";
import { openState, type StateFile } from "../state-file.ts";
import type { UsageError } from "../usage-error.ts";

export interface ResolvedSettings {
  readonly settings: Settings;
  /** The text of `planTemplate`. */
  readonly template: string | null;
}

export interface ResolveRequest extends Pick<Workplace, "directory" | "root" | "home"> {
  readonly wish: SessionWish;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly tell: (line: string) => void;
  /** Asks the person, once for each folder, whether it is trusted; told what it brings. */
  readonly askTrust?: (brings: readonly string[]) => Promise<boolean>;
}

export async function resolveSettings(request: ResolveRequest): Promise<ResolvedSettings | UsageError> {
  const { wish, environment, directory, root, home, tell } = request;
  const state = openState({ configHome: home, now: Date.now, warn: tell });
  const found = await settingsInForce({
    configHome: home,
    projectRoot: root,
    directory,
    environment,
    options: fromWish(wish),
    ...(wish.settings === null ? {} : { argument: wish.settings }),
    granted: () => state.granted(root),
    isTrusted: async (wanted) => wish.trust || (await state.isTrusted(root)) || asked(state, wanted, request),
  });
  if (found.kind === "invalid") return { problem: found.problems.map(problemText).join("\n"), exitCode: 2 };
  if (wish.mcpConfig !== null && !(await isFile(resolve(directory, wish.mcpConfig))))
    return { problem: `${wish.mcpConfig}: there is no such file; --mcp-config takes a file.`, exitCode: 2 };
  ignoredLines(found.ignored).forEach(tell);
  for (const line of ruleProblems(found.settings)) tell(line);
  const unbuilt = notBuiltText(notBuilt(found.settings, wish.mcpConfig));
  if (unbuilt !== null) tell(unbuilt);
  return found;
}

/** What of the rules is not understood, a line each: one that silently does nothing is worse than none. */
export function ruleProblems({ permissions }: Settings): readonly string[] {
  const lists = ["deny", "ask", "allow"] as const;
  return lists.flatMap((list) =>
    permissions[list].flatMap(({ value, origin }) => {
      const problem = ruleProblem(value, runnerRules);
      return problem === null
        ? []
        : [`${origin} settings: permissions.${list} ${JSON.stringify(value)}: not understood, ${problem}.`];
    }),
  );
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}

async function asked(
  state: StateFile,
  wanted: readonly Ignored[],
  { root, askTrust, tell }: ResolveRequest,
): Promise<boolean> {
  const brings = wanted.filter(({ why }) => why === "needs-trust");
  const name = `asked to trust ${root}`;
  if (askTrust === undefined || (await state.read()).optIns[name] === true) return false;
  const isTrusted = await askTrust(brings.map(({ key, value }) => `${key}: ${JSON.stringify(value)}`));
  const keep = isTrusted
    ? state.trust(root)
    : state.update((before) => ({ ...before, optIns: { ...before.optIns, [name]: true } }));
  await keep.catch((error: unknown) => tell(`Your answer could not be kept: ${String(error)}`));
  return isTrusted;
}

function fromWish({ model, planModel, effort, mode }: SessionWish): SettingsFile {
  return {
    ...(model === null ? {} : { model }),
    ...(planModel === null ? {} : { planModel }),
    ...(effort === null ? {} : { effort }),
    ...(mode === null ? {} : { defaultMode: mode }),
  };
}
