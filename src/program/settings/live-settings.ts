/** The settings of a running session: files that change are noticed before every decision, and by themselves within a moment (B14.4). */
import { unwatchFile, watchFile } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { oneAtATime } from "../../agent/host/one-at-a-time.ts";
import type { SessionHandle } from "../../agent/ports/handle.ts";
import { planSettings, ruleLists, type Settings } from "../../core/settings/settings.ts";
import { resolveSettings, type ResolvedSettings, type ResolveRequest } from "./resolve.ts";
import { hooksText } from "./hooks-text.ts";
import { localSettingsFile, projectSettingsFile, readText } from "./files.ts";
import { isUsageError, type UsageError } from "../usage-error.ts";

export interface LiveSettings extends ResolvedSettings {
  /** The newest ones. */
  readonly settings: Settings;
  /** Looks at the files; what changed has reached the session when it resolves. */
  refresh(): Promise<void>;
  /** From now on changes go to this session, also while nothing happens in it. */
  follow(current: () => SessionHandle): void;
  close(): void;
}

export async function openSettings(request: ResolveRequest): Promise<LiveSettings | UsageError> {
  const files = filesOf(request);
  const told = new Set<string>();
  const tell = (line: string): void => {
    if (!told.has(line)) request.tell(line);
    told.add(line);
  };
  let seen = await contents(files);
  const first = await resolveSettings({ ...request, tell });
  if (isUsageError(first)) return first;
  const { askTrust: _, ...later } = request;
  let newest = first;
  let session: (() => SessionHandle) | null = null;
  const inTurn = oneAtATime();

  const look = async (): Promise<void> => {
    if (session === null) return;
    if ((await contents(files)) === seen) return;
    const now = await settled(files);
    if (now === seen) return;
    const resolved = await resolveSettings({ ...later, tell });
    seen = now;
    if (isUsageError(resolved)) {
      tell(`The settings changed and cannot be used; those from before stay in force.\n${resolved.problem}`);
      return;
    }
    const waiting = laterKeys.filter((key) => !isDeepStrictEqual(resolved.settings[key], newest.settings[key]));
    if (waiting.length > 0) tell(`Settings that count from the next start on have changed: ${waiting.join(", ")}.`);
    if (!isDeepStrictEqual(resolved.settings.hooks, newest.settings.hooks))
      request.tell(`The hooks changed, and count at once.\n${hooksText(resolved.settings.hooks)}`);
    newest = resolved;
    await hand(resolved, session());
  };
  const refresh = (): Promise<void> => inTurn(look).catch((error: unknown) => tell(String(error)));
  const onChange = (): void => void refresh();
  return {
    get settings() {
      return newest.settings;
    },
    get template() {
      return newest.template;
    },
    refresh,
    follow(current) {
      session = current;
      for (const file of files) watchFile(file, { interval: lookEveryMs, persistent: false }, onChange);
    },
    close() {
      session = null;
      for (const file of files) unwatchFile(file, onChange);
    },
  };
}

const lookEveryMs = 1_000;
const writingMs = 15;

/** An editor may be in the middle of writing: what two looks in a row see is what is meant. */
async function settled(files: readonly string[]): Promise<string> {
  let before = await contents(files);
  for (let looks = 0; looks < 20; looks += 1) {
    await setTimeout(writingMs);
    const now = await contents(files);
    if (now === before) return now;
    before = now;
  }
  return before;
}

/** What a session does not ask for again while it runs. */
const laterKeys = [
  "model",
  "planModel",
  "exploreModel",
  "effort",
  "planEffort",
  "keybindings",
  "theme",
  "editor",
  "notify",
  "plansDirectory",
  "planNames",
  "planWorkflow",
  "planLength",
  "planEagerness",
  "tier",
  "sandbox",
  "mcpServers",
  "channels",
  "team",
] as const satisfies readonly (keyof Settings)[];

async function hand({ settings, template }: ResolvedSettings, handle: SessionHandle): Promise<void> {
  const { permissions, settings: before, auto } = handle.state;
  const { allow, ask, deny } = permissions.rules;
  const rules = ruleLists(settings);
  if (!isDeepStrictEqual(rules, { allow, ask, deny })) await handle.send({ type: "rules-changed", rules });
  const now = planSettings(settings, template);
  const autoOptedIn = settings.autoMode.enabled;
  if (autoOptedIn !== auto.optedIn || !isDeepStrictEqual(now, before))
    await handle.send({ type: "settings-changed", settings: now, autoOptedIn });
}

function filesOf({ wish, directory, home, root }: ResolveRequest): readonly string[] {
  const given = wish.settings === null || /^\s*[{[]/.test(wish.settings) ? [] : [resolve(directory, wish.settings)];
  return [join(home, "settings.json"), projectSettingsFile(root), localSettingsFile(root), ...given];
}

/** They are small, and a time of change can lie. */
async function contents(files: readonly string[]): Promise<string> {
  return JSON.stringify(await Promise.all(files.map((file) => readText(file))));
}
