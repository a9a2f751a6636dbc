/** The highlighter, loaded when there is code to colour; each language is a file of its own. */
import highlighter from "highlight.js/lib/core";

interface Piece {
  readonly text: string;
  /** A class name, or empty. */
  readonly scope: string;
}
export type ColouredLine = readonly Piece[];

interface Scoped {
  readonly scope?: string;
  readonly children: readonly (Scoped | string)[];
}

/** Null where the language is not known. */
export async function colourLines(code: string, name: string): Promise<readonly ColouredLine[] | null> {
  const language = languageOf(name);
  if (language === null) return null;
  if (highlighter.getLanguage(language) === undefined) {
    highlighter.registerLanguage(language, (await languages[language].load()).default);
  }
  const { _emitter } = highlighter.highlight(code, { language, ignoreIllegals: true });
  return linesOf(piecesOf((_emitter as typeof _emitter & { readonly rootNode: Scoped }).rootNode, ""));
}

function piecesOf(node: Scoped | string, scope: string): readonly Piece[] {
  if (typeof node === "string") return [{ text: node, scope }];
  const own = node.scope === undefined ? scope : `hl-${node.scope.split(".")[0]!.replace(/[^a-z]/g, "-")}`;
  return node.children.flatMap((child) => piecesOf(child, own));
}

export function linesOf(pieces: readonly Piece[]): readonly ColouredLine[] {
  const lines: Piece[][] = [[]];
  for (const { text, scope } of pieces) {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)!.push({ text: part, scope });
    }
  }
  return lines;
}

export function languageOf(name: string): LanguageName | null {
  const wanted = name.toLowerCase();
  const known = Object.keys(languages) as LanguageName[];
  return known.find((key) => key === wanted || languages[key].also.split(" ").includes(wanted)) ?? null;
}

type LanguageName = keyof typeof languages;

/** With the other names under which plans write them. */
const languages = {
  bash: { also: "sh shell zsh console shellsession", load: () => import("highlight.js/lib/languages/bash") },
  typescript: {
    also: "ts tsx mts cts javascript js jsx mjs cjs",
    load: () => import("highlight.js/lib/languages/typescript"),
  },
  json: { also: "jsonc json5 jsonl", load: () => import("highlight.js/lib/languages/json") },
  python: { also: "py", load: () => import("highlight.js/lib/languages/python") },
  diff: { also: "patch", load: () => import("highlight.js/lib/languages/diff") },
  yaml: { also: "yml", load: () => import("highlight.js/lib/languages/yaml") },
  xml: { also: "html svg vue svelte", load: () => import("highlight.js/lib/languages/xml") },
  css: { also: "scss less", load: () => import("highlight.js/lib/languages/css") },
  sql: { also: "", load: () => import("highlight.js/lib/languages/sql") },
  go: { also: "golang", load: () => import("highlight.js/lib/languages/go") },
  rust: { also: "rs", load: () => import("highlight.js/lib/languages/rust") },
  java: { also: "", load: () => import("highlight.js/lib/languages/java") },
  kotlin: { also: "kt", load: () => import("highlight.js/lib/languages/kotlin") },
  swift: { also: "", load: () => import("highlight.js/lib/languages/swift") },
  ruby: { also: "rb", load: () => import("highlight.js/lib/languages/ruby") },
  php: { also: "", load: () => import("highlight.js/lib/languages/php") },
  cpp: { also: "c c++ h hpp cc", load: () => import("highlight.js/lib/languages/cpp") },
  csharp: { also: "cs c#", load: () => import("highlight.js/lib/languages/csharp") },
  ini: { also: "toml conf env properties", load: () => import("highlight.js/lib/languages/ini") },
  dockerfile: { also: "docker", load: () => import("highlight.js/lib/languages/dockerfile") },
  markdown: { also: "md", load: () => import("highlight.js/lib/languages/markdown") },
} as const;
