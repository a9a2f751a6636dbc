/** Codex runs a hook only after its person trusted it: whether that was said for our entries, as far as its own file tells. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { getNodeValue, type Node } from "jsonc-parser";
import { textAt } from "../../agent/host/files/read-regular.ts";
import { oursIn } from "./hooks-text.ts";
import { readTree } from "./json-insert.ts";
import { placeOf, type PersonalHome } from "./places.ts";

export interface TrustQuestion {
  /** Codex's hooks.json, and its text. */
  readonly file: string;
  readonly text: string;
  readonly person: PersonalHome;
}

/** Null where each of our entries is trusted as it stands: Codex skips one that was changed since, and the agent goes on unguarded. */
export function trustProblem({ file, text, person }: TrustQuestion): string | null {
  const tree = readTree(text);
  const config = textAt(join(dirname(placeOf("codex").userFile(person)), "config.toml"), { limit: 4_000_000 }) ?? "";
  const files = [file, realOf(file)];
  const ours = tree === null ? [] : oursIn(tree, "codex");
  const isTrusted = ours.every((handler) => {
    const { key, hash } = identityOf(handler);
    return files.some((name) => trustedHash(config, `${name}:${key}`) === hash);
  });
  if (isTrusted && ours.length > 0) return null;
  return "Codex runs no hook that was not trusted: start codex, type /hooks and trust Groundplan's entries.";
}

/** The key is `pre_tool_use:0:0` (event, place of the group, place in it), the hash that of the entry as Codex 0.166.0 makes it. */
function identityOf(handler: Node): { readonly key: string; readonly hash: string } {
  const group = handler.parent!.parent!.parent!;
  const named = String(group.parent!.parent!.children![0]!.value);
  const event = named.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  const key = [event, group.parent!.children!.indexOf(group), handler.parent!.children!.indexOf(handler)].join(":");
  const { command, timeout } = getNodeValue(handler) as { readonly command: string; readonly timeout: number };
  const identity = JSON.stringify({ event_name: event, hooks: [{ async: false, command, timeout, type: "command" }] });
  return { key, hash: `sha256:${createHash("sha256").update(identity).digest("hex")}` };
}

function trustedHash(config: string, key: string): string | null {
  const names = [`"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`, `'${key}'`];
  const table = names.map((name) => config.indexOf(`[hooks.state.${name}]`)).find((at) => at >= 0);
  if (table === undefined) return null;
  const rest = config.slice(table + 1);
  const body = rest.slice(0, /^\s*\[/m.exec(rest)?.index ?? rest.length);
  if (/^\s*enabled\s*=\s*false/m.test(body)) return null;
  return /^\s*trusted_hash\s*=\s*["'](sha256:[0-9a-f]+)["']/m.exec(body)?.[1] ?? null;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
