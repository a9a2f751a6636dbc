/** What the first message of a session begins with: where it is, and the project's own instructions (B8.6). */
import { platform } from "node:os";
import { loadProjectMemory } from "../agent/memory-files.ts";
import type { Prompts } from "../prompts/index.ts";
import { environment, projectMemory } from "../prompts/opening.ts";

export interface OpeningRequest {
  readonly prompts: Prompts;
  readonly directory: string;
  readonly root: string;
}

export async function openingText({ prompts, directory, root }: OpeningRequest): Promise<string> {
  const date = new Date().toISOString().slice(0, 10);
  const memory = await loadProjectMemory({ root, directory });
  const known = memory.map((file) => projectMemory(prompts, file));
  return [environment(prompts, { directory, root, platform: platform(), date }), ...known].join("\n\n");
}
