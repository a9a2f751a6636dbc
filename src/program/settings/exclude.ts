/** Keeps the person's own settings of a project out of its commits, by the list that git never commits itself (B18.2). */
import { appendFile, lstat, mkdir } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { ownEnvironment } from "../../agent/host/launch/environment.ts";
import { askGit } from "../../agent/host/launch/own-git.ts";
import { readText } from "./files.ts";

/** The file it was noted in; null where git knows of it already, or there is no repository. Never throws. */
export async function excludeFromGit(file: string, root: string): Promise<string | null> {
  const place = { directory: root, environment: ownEnvironment(root), timeoutMs: 20_000 };
  const ask = async (...args: string[]): Promise<{ code: number | null; text: string }> => {
    const { code, bytes } = await askGit(args, place);
    return { code, text: bytes.toString("utf8").trim() };
  };
  const [top, list] = await Promise.all([
    ask("rev-parse", "--show-toplevel"),
    ask("rev-parse", "--git-path", "info/exclude"),
  ]);
  if (top.code !== 0 || list.code !== 0 || top.text === "") return null;
  const [known, tracked] = await Promise.all([
    ask("check-ignore", "--quiet", "--", file),
    ask("ls-files", "--error-unmatch", "--", file),
  ]);
  if (known.code !== 1 || tracked.code === 0) return null;
  const excludes = resolve(root, list.text);
  const named = relative(top.text, file);
  if (named.startsWith("..")) return null;
  try {
    if ((await lstat(excludes).catch(() => null))?.isSymbolicLink() === true) return null;
    const found = await readText(excludes);
    if (found.kind === "failed") return null;
    await mkdir(dirname(excludes), { recursive: true });
    const isOpen = found.kind === "text" && found.text !== "" && !found.text.endsWith("\n");
    await appendFile(excludes, `${isOpen ? "\n" : ""}/${named}\n`);
    return excludes;
  } catch {
    return null;
  }
}
