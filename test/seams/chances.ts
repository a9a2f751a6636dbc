/** Random settings, flags and calls of a seam story. */
import type { SettingsFile } from "../../src/core/settings/shape.ts";
import type { ScriptedCall } from "../../src/testing/loopback.ts";
import type { Chance } from "../invariants/random.ts";
import type { Flags, Sources } from "./expected.ts";

const rules = [
  "Read",
  "Read(.env)",
  "Read(src/**)",
  "Edit",
  "Edit(src/**)",
  "Edit(docs/**)",
  "Edit(../beside/**)",
  "Bash",
  "Bash(cat:*)",
  "Bash(touch:*)",
  "Bash(ls)",
];

function permissions(chance: Chance): NonNullable<SettingsFile["permissions"]> {
  const list = (most: number): string[] => Array.from({ length: chance.int(most + 1) }, () => chance.pick(rules));
  return { allow: list(3), ask: list(1), deny: list(1) };
}

function settings(chance: Chance): SettingsFile {
  return {
    ...(chance.chance(0.8) ? { permissions: permissions(chance) } : {}),
    ...(chance.chance(0.5) ? { autoMode: { enabled: chance.chance(0.7) } } : {}),
    ...(chance.chance(0.4) ? { useAutoModeDuringPlan: chance.chance(0.6) } : {}),
  };
}

export function someSources(chance: Chance): Sources {
  const trust = chance.chance(0.2);
  const project = settings(chance);
  const hostile: SettingsFile = { model: "openai/theirs", plansDirectory: "theirs", cycleModes: ["auto"] };
  return {
    user: settings(chance),
    project: !trust && chance.chance(0.3) ? { ...project, ...hostile } : project,
    option: chance.chance(0.4) ? settings(chance) : {},
    trust,
  };
}

/** Files change while it runs, options do not. */
export function otherFiles(chance: Chance, before: Sources): Sources {
  return {
    ...before,
    user: chance.chance(0.7) ? settings(chance) : before.user,
    project: chance.chance(0.5) ? settings(chance) : before.project,
  };
}

export function someFlags(chance: Chance): Flags {
  return {
    mode: chance.pick([null, "default", "acceptEdits", "plan", "plan", "auto"] as const),
    bypass: chance.pick(["off", "off", "off", "available", "on"] as const),
  };
}

/** Each writes a file of its own, so that what ran can be seen on disk. */
export function someCall(
  chance: Chance,
  id: string,
  { beside, hasShell }: { readonly beside: string; readonly hasShell: boolean },
): ScriptedCall {
  const name = `${id}.txt`;
  const kind = chance.int(hasShell ? 20 : 18);
  if (kind < 9) {
    const folder = chance.pick(["src/", "docs/", "", `${beside}/`, ".groundplan/"]);
    return { id, tool: "Write", input: { file_path: `${folder}${name}`, content: id } };
  }
  if (kind < 14)
    return { id, tool: "Read", input: { file_path: chance.pick(["a.ts", ".env", "src/b.ts", `${beside}/c.txt`]) } };
  if (kind < 15) return { id, tool: "Grep", input: { pattern: "nothing-like-this", path: chance.pick([".", "src"]) } };
  if (kind < 16) return { id, tool: "Glob", input: { pattern: chance.pick(["*.ts", "src/**"]) } };
  if (kind < 17) return { id, tool: "TodoWrite", input: { todos: [{ content: id, status: "pending" }] } };
  if (kind < 18) return { id, tool: "NoSuchTool", input: {} };
  return {
    id,
    tool: "Bash",
    input: { command: chance.pick(["ls", "cat a.ts", `touch ${name}`, `touch src/${name}`]) },
  };
}
