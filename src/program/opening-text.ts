/** What the first message of a session begins with: where it is, and the project's own instructions (B8.6). */
import { platform } from "node:os";
import { refusedFiles } from "../agent/host/files/refused-files.ts";
import { readMemory } from "../agent/loop/memory-files.ts";
import { parseGlob } from "../core/decide/glob.ts";
import type { Settings } from "../core/settings/settings.ts";
import type { Prompts } from "../prompts/index.ts";
import { projectMemory } from "../prompts/render/opening.ts";
import { deniedToRead } from "./host.ts";
import type { Workplace } from "./place.ts";

export interface OpeningRequest extends Pick<Workplace, "directory" | "root" | "home"> {
  readonly prompts: Prompts;
  readonly settings: Settings;
  readonly plans: string;
  readonly tell: (line: string) => void;
}

export async function openingText(request: OpeningRequest): Promise<string> {
  const date = new Date().toISOString().slice(0, 10);
  const { prompts, directory, root, tell } = request;
  const isRefused = refusedByRules(request);
  const memory = await readMemory({ projectRoot: root, directory, isRefused });
  memory.notes.forEach(tell);
  const known = memory.files.map(({ path, text, cut }) => projectMemory(prompts, { path, text, truncated: cut }));
  const surroundings = prompts("opening/environment", { directory, root, platform: platform(), date });
  return [surroundings, ...known].join("\n\n");
}

/** B1.5, B1.14: instructions of a project are no way around a rule on reading, nor into our own home. */
function refusedByRules({ settings, root, home, plans }: OpeningRequest): (path: string) => Promise<boolean> {
  const globs = deniedToRead(settings, root);
  const refused = refusedFiles({ globs, roots: [root], own: { home, plans } });
  const matchers = globs.map((glob) => parseGlob(glob.normalize("NFC")));
  return async (path) =>
    matchers.some((glob) => glob.test(path.normalize("NFC"))) ||
    (await refused.namesOf(path)).length > 0 ||
    (await refused.ownAt(path))?.reach === "inside";
}
