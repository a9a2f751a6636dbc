/** Whether an agent of Claude Code's own was replaced: a file of the project that bears its name starts hooks and makes work trees of its own. */
import { join } from "node:path";
import { withParents } from "../agent/host/launch/search-path.ts";
import type { HookInput } from "./client.ts";

type Sight = Pick<HookInput, "readText" | "listNames" | "environment">;

/** Also where nobody can tell. Agents lie in the folder that one is in and those above it, and in the person's own. */
export function isReplaced(agent: string, directory: string, sight: Sight): boolean {
  const { CLAUDE_CONFIG_DIR: own, HOME: home = "/" } = sight.environment;
  const folders = [own ?? join(home, ".claude"), ...withParents(directory).map((folder) => join(folder, ".claude"))];
  const files = { left: mostFiles };
  return folders.some((folder) => isNamedIn(join(folder, "agents"), agent, { ...sight, files, depth: 0 }));
}

const mostFiles = 500;
const deepest = 5;

interface Search extends Sight {
  readonly files: { left: number };
  readonly depth: number;
}

function isNamedIn(folder: string, agent: string, search: Search): boolean {
  const { listNames, readText, files, depth } = search;
  return listNames(folder).some((name) => {
    files.left -= 1;
    if (files.left < 0 || depth > deepest) return true;
    const path = join(folder, name);
    if (!/\.md$/i.test(name)) return isNamedIn(path, agent, { ...search, depth: depth + 1 });
    const text = readText(path);
    return text === null || mayBeNamed(text, agent);
  });
}

/** Only a head with one plain name, in which it does not end, and no key that is written otherwise, is surely another agent. */
function mayBeNamed(text: string, agent: string): boolean {
  const head = /^\s*---[ \t]*\r?\n(.*?)(?:\r?\n---[ \t]*(?:\r?\n|$)|$)/s.exec(text)?.[1];
  if (head === undefined) return /^\s*---/.test(text);
  const names = [...head.matchAll(/^name[ \t]*:[ \t]*(.*?)[ \t\r]*$/gm)].map(([, name = ""]) => name);
  const [name = "", ...more] = names;
  const isPlain = /^(?:[\w-]+|"[\w-]+"|'[\w-]+')$/.test(name) && !name.includes("---") && more.length === 0;
  const isOdd = /^(?:[?{<&*!"'%]|[^\s:#-][^:\n]*\\)/m.test(head);
  return !isPlain || isOdd || name.replaceAll(/["']/g, "").toLowerCase() === agent.toLowerCase();
}
