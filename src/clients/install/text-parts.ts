/** Files that are no settings: one that is all ours, and one that gets a single line. */
import type { Edited } from "./hooks-text.ts";
import type { Part } from "./part.ts";

/** `mark` begins every text of ours in every release. */
export function ownFilePart(file: string, { text, mark }: { readonly text: string; readonly mark: string }): Part {
  const isIn = (found: string): boolean => found.startsWith(mark);
  return {
    file,
    put(found): Edited {
      if (found.trim() !== "" && !isIn(found))
        return { kind: "problem", problem: "somebody else's file has that name" };
      return { kind: "text", text, put: [] };
    },
    take: (found): Edited => ({ kind: "text", text: isIn(found) ? "" : found, put: [] }),
    isIn,
    isEmpty: (found) => found === "",
    isAllOurs: true,
  };
}

/** At the end of the file; `has` says which line there makes it needless. */
export function linePart(file: string, { line, has }: { readonly line: string; readonly has: RegExp }): Part {
  return {
    file,
    put(found): Edited {
      if (has.test(found)) return { kind: "text", text: found, put: [] };
      const eol = found.includes("\r\n") ? "\r\n" : "\n";
      const put = `${found === "" || found.endsWith("\n") ? "" : eol}${line}${eol}`;
      return { kind: "text", text: found + put, put: [put] };
    },
    take(found, [put = ""]): Edited {
      const at = put === "" ? -1 : found.lastIndexOf(put);
      const isLine = at === 0 || put.startsWith("\n") || put.startsWith("\r") || found[at - 1] === "\n";
      const text = at < 0 || !isLine ? found : found.slice(0, at) + found.slice(at + put.length);
      return { kind: "text", text, put: [] };
    },
    isIn: () => false,
    isEmpty: (found) => found === "",
  };
}
