/** What the first message of a session begins with: where it is, and the project's own instructions (B8.6). */
import { platform } from "node:os";
import { readMemory } from "../agent/loop/memory-files.ts";
import { parseGlob } from "../core/decide/glob.ts";
import type { Settings } from "../core/settings/settings.ts";
import type { Prompts } from "../prompts/index.ts";
import { environment, projectMemory } from "../prompts/render/opening.ts";
import { deniedToRead } from "./host.ts";

export interface OpeningRequest {
  readonly prompts: Prompts;
  readonly directory: string;
  readonly root: string;
  readonly settings: Settings;
  readonly tell: (line: string) => void;
}

export async function openingText({ prompts, directory, root, settings, tell }: OpeningRequest): Promise<string> {
  const date = new Date().toISOString().slice(0, 10);
  const isRefused = await refusedByRules(settings, root);
  const memory = await readMemory({ projectRoot: root, directory, isRefused });
  memory.notes.forEach(tell);
  const known = memory.files.map(({ path, text, cut }) => projectMemory(prompts, { path, text, truncated: cut }));
  return [environment(prompts, { directory, root, platform: platform(), date }), ...known].join("\n\n");
}

/** B1.14: instructions of a project are no way around a rule on reading. */
async function refusedByRules(settings: Settings, root: string): Promise<(path: string) => Promise<boolean>> {
  const globs = deniedToRead(settings, root);
  if (globs.length === 0) return async () => false;
  const { refusedFiles } = await import("../agent/host/shell/refused-files.ts");
  const refused = refusedFiles(globs, [root]);
  const matchers = globs.map((glob) => parseGlob(glob.normalize("NFC")));
  return async (path) =>
    matchers.some((glob) => glob.test(path.normalize("NFC"))) || (await refused.namesOf(path)).length > 0;
}
