/** The highlighter, loaded when there is code to colour; each language is a file of its own. */
import type { LanguageFn } from "highlight.js";
import highlighter from "highlight.js/lib/core";
import type { ColouredLine, LanguageName, Piece } from "./languages.ts";

interface Scoped {
  readonly scope?: string;
  readonly children: readonly (Scoped | string)[];
}

export async function colourLines(code: string, language: LanguageName): Promise<readonly ColouredLine[]> {
  if (highlighter.getLanguage(language) === undefined) {
    highlighter.registerLanguage(language, (await grammars[language]()).default);
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

const grammars: Record<LanguageName, () => Promise<{ readonly default: LanguageFn }>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  json: () => import("highlight.js/lib/languages/json"),
  python: () => import("highlight.js/lib/languages/python"),
  diff: () => import("highlight.js/lib/languages/diff"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
  xml: () => import("highlight.js/lib/languages/xml"),
  css: () => import("highlight.js/lib/languages/css"),
  sql: () => import("highlight.js/lib/languages/sql"),
  go: () => import("highlight.js/lib/languages/go"),
  rust: () => import("highlight.js/lib/languages/rust"),
  java: () => import("highlight.js/lib/languages/java"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  swift: () => import("highlight.js/lib/languages/swift"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  php: () => import("highlight.js/lib/languages/php"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  ini: () => import("highlight.js/lib/languages/ini"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
};
