/** The files of a client that an install touches, each with how ours gets in and out again. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { getNodeValue } from "jsonc-parser";
import type { ClientName } from "../client.ts";
import { policyMark } from "../gemini-marks.ts";
import { geminiPolicy } from "../gemini-policy.ts";
import { opencodePlugin } from "../opencode-plugin/plugin.ts";
import { entriesOf } from "./entries.ts";
import { hasEntries, oursIn, withEntries, withoutEntries } from "./hooks-text.ts";
import { readTree } from "./json-insert.ts";
import { launcherPath } from "./launcher-path.ts";
import { inDoubleQuotes } from "./launcher.ts";
import { placeOf, type PersonalHome } from "./places.ts";
import type { Part } from "./part.ts";
import { policyFile } from "./policy-file.ts";
import { linePart, ownFilePart } from "./text-parts.ts";

export interface InstallScope {
  readonly agent: ClientName;
  readonly scope: "user" | "project";
  /** Our config home. */
  readonly home: string;
  readonly person: PersonalHome;
  /** Of the project that one is in. */
  readonly root: string;
}

export function partsOf(asked: InstallScope): readonly Part[] {
  const { agent } = asked;
  if (agent === "opencode") return opencodeParts(asked);
  return agent === "gemini" ? [hooksPart(agent, asked), geminiPolicyPart(asked)] : [hooksPart(agent, asked)];
}

/** The main one: where the client reads that there are hooks. */
export function fileOf({ agent, scope, person, root }: InstallScope): string {
  const place = placeOf(agent);
  return scope === "user" ? place.userFile(person) : join(root, place.projectFile);
}

function hooksPart(agent: Exclude<ClientName, "opencode">, asked: InstallScope): Part {
  const file = fileOf(asked);
  const entries = entriesOf(agent, {
    launcher: asked.scope === "user" ? `"${inDoubleQuotes(launcherPath(asked.home))}"` : anyLauncher,
    file: placeOf(agent).projectFile,
  });
  return {
    file,
    put(text, old) {
      if (hasEntries(text, agent, entries)) return { kind: "text", text, put: [] };
      const bare = withoutEntries(text, agent, old);
      return bare.kind === "problem" ? bare : withEntries(bare.text, entries);
    },
    take: (text, old) => withoutEntries(text, agent, old),
    isIn(text) {
      const tree = text.trim() === "" ? null : readTree(text);
      return tree !== null && oursIn(tree, agent).length > 0;
    },
    isEmpty: (text) => text.trim() === "" || isEmptyObject(text),
  };
}

/** The client itself refuses by it, where a hook cannot know the mode; only the person's own folder has the rank for that. */
function geminiPolicyPart({ home, person }: InstallScope): Part {
  const file = policyFile(person);
  const text = geminiPolicy({ launcher: launcherPath(home) });
  return { ...ownFilePart(file, { text, mark: `# ${policyMark}` }), isShared: true };
}

/** Without the line opencode waits for a minute at its start, where there is no network. */
function opencodeParts(asked: InstallScope): readonly Part[] {
  const file = fileOf(asked);
  const folder = dirname(dirname(file));
  const named = "@launcher@";
  const made = opencodePlugin({ launcher: asked.scope === "user" ? launcherPath(asked.home) : named });
  const text = made.replace(JSON.stringify(named), () => anyLauncherInScript);
  const line = linePart(join(folder, ".npmrc"), { line: "fetch-retries=0", has: /^\s*fetch-retries\s*=/m });
  const isNeedless = existsSync(join(folder, "node_modules"));
  const npm: Part = isNeedless ? { ...line, put: (found) => ({ kind: "text", text: found, put: [] }) } : line;
  return [ownFilePart(file, { text, mark: "// Groundplan's plugin for opencode" }), npm];
}

const anyLauncherInScript = "`${process.env.GROUNDPLAN_HOME || `${process.env.HOME}/.groundplan`}/bin/guard`";

/** In a file that colleagues share: whoever has Groundplan has it somewhere else. */
export const anyLauncher = '"${GROUNDPLAN_HOME:-$HOME/.groundplan}/bin/guard"';

function isEmptyObject(text: string): boolean {
  const tree = readTree(text);
  const value: unknown = tree === null ? null : getNodeValue(tree);
  return typeof value === "object" && value !== null && Object.keys(value).length === 0 && !/\/[/*]/.test(text);
}
