/** "Always allow": adds a rule to the local settings, with the comments and the layout of the file kept (R17.2). */
import { lstat, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { applyEdits, modify, type FormattingOptions } from "jsonc-parser";
import { settingsShape, type SettingsFile } from "../../core/settings/shape.ts";
import { makePrivateFolder, projectKey } from "../../agent/host/config-home.ts";
import { whileLocked } from "../../agent/host/files/lock.ts";
import { replaceFile } from "../../agent/host/files/replace-file.ts";
import { localSettingsFile, readText } from "./files.ts";
import { parseSettings, problemText } from "./text.ts";

export interface LocalRule {
  readonly configHome: string;
  readonly projectRoot: string;
  readonly rule: string;
}

export type SavedRule =
  | { readonly kind: "added" | "present"; readonly file: string }
  /** Nothing was written. */
  | { readonly kind: "failed"; readonly file: string; readonly message: string };

/** Never throws. What is shown to the person before: the rule, and `file`. */
export async function saveLocalRule({ configHome, projectRoot, rule }: LocalRule): Promise<SavedRule> {
  const file = localSettingsFile(projectRoot);
  if (!settingsShape.safeParse({ permissions: { allow: [rule] } }).success) {
    return { kind: "failed", file, message: `${JSON.stringify(rule)} is not a rule.` };
  }
  try {
    const locks = join(configHome, "locks");
    await makePrivateFolder(locks);
    return await whileLocked(join(locks, `${projectKey(projectRoot)}.settings`), () => add(file, rule));
  } catch (error) {
    return { kind: "failed", file, message: error instanceof Error ? error.message : String(error) };
  }
}

async function add(file: string, rule: string): Promise<SavedRule> {
  if (await isLink(dirname(file))) return { kind: "failed", file, message: `${dirname(file)} is a symbolic link.` };
  if (await isLink(file)) return { kind: "failed", file, message: `${file} is a symbolic link.` };
  const found = await readText(file);
  if (found.kind === "failed") return { kind: "failed", file, message: `${file}: ${found.message}` };
  const text = found.kind === "text" ? found.text : "";
  const { settings, problems } = parseSettings(text, file);
  if (settings === null) return { kind: "failed", file, message: problems.map(problemText).join("\n") };
  if (settings.permissions?.allow?.includes(rule) === true) return { kind: "present", file };
  await mkdir(dirname(file), { recursive: true });
  const mode = found.kind === "text" ? (await stat(file)).mode & 0o777 : 0o600;
  await replaceFile(file, withRule(text, rule, settings), mode);
  return { kind: "added", file };
}

/** A list that is missing is made with the rule in it; otherwise the rule goes to its end. */
function withRule(text: string, rule: string, settings: SettingsFile): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const plain = text.slice(mark.length);
  const formattingOptions = layoutOf(plain);
  if (Object.keys(settings).length === 0 && !/[{]/.test(plain.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""))) {
    const fresh = JSON.stringify({ permissions: { allow: [rule] } }, null, 2);
    return `${mark}${plain === "" || plain.endsWith("\n") ? plain : `${plain}\n`}${fresh}\n`;
  }
  const allow = settings.permissions?.allow;
  const edits =
    allow === undefined
      ? modify(plain, ["permissions", "allow"], [rule], { formattingOptions })
      : modify(plain, ["permissions", "allow", allow.length], rule, { formattingOptions, isArrayInsertion: true });
  return mark + applyEdits(plain, edits);
}

function layoutOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return { insertSpaces: !indent.startsWith("\t"), tabSize: indent.startsWith("\t") ? 4 : indent.length, eol };
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isSymbolicLink() === true;
}
