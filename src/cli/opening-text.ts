/** What the first message of a session begins with: where it is, and the project's own instructions (B8.6). */
import { platform } from "node:os";
import { readMemory } from "../agent/memory-files.ts";
import type { Prompts } from "../prompts/index.ts";
import { environment, projectMemory } from "../prompts/opening.ts";

export interface OpeningRequest {
  readonly prompts: Prompts;
  readonly directory: string;
  readonly root: string;
  readonly tell: (line: string) => void;
}

export async function openingText({ prompts, directory, root, tell }: OpeningRequest): Promise<string> {
  const date = new Date().toISOString().slice(0, 10);
  const memory = await readMemory({ projectRoot: root, directory });
  memory.notes.forEach(tell);
  const known = memory.files.map(({ path, text, cut }) => projectMemory(prompts, { path, text, truncated: cut }));
  return [environment(prompts, { directory, root, platform: platform(), date }), ...known].join("\n\n");
}
