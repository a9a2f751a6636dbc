/** Code in colours: highlight.js with chosen languages, loaded when the first frame stands. */
import type { HLJSApi, LanguageFn } from "highlight.js";
import type { Style, Theme } from "./theme.ts";

export type Highlight = (code: string, language: string) => readonly string[] | null;

const languages: Readonly<Record<string, () => Promise<{ readonly default: LanguageFn }>>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  go: () => import("highlight.js/lib/languages/go"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  sql: () => import("highlight.js/lib/languages/sql"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

/** A language is loaded when it is first asked for; until then, and for others, null: plain. `loaded`: one has come. */
export function createHighlight(theme: Theme, loaded: () => void): Highlight {
  if (theme.name === "none") return () => null;
  let engine: HLJSApi | null = null;
  const asked = new Set<string>();
  const load = async (name: string): Promise<void> => {
    const [core, language] = await Promise.all([import("highlight.js/lib/core"), languages[name]!()]);
    engine = core.default;
    engine.registerLanguage(name, language.default);
    loaded();
  };
  return (code, language) => {
    const name = nameOf(language);
    if (name === null || code.length > longest) return null;
    if (engine?.getLanguage(name) === undefined) {
      if (!asked.has(name)) void load(name).catch(() => undefined);
      asked.add(name);
      return null;
    }
    return styledLines(engine.highlight(code, { language: name, ignoreIllegals: true }).value, theme);
  };
}

function nameOf(language: string): string | null {
  const name = language.toLowerCase().split(/[\s,{]/)[0]!;
  return Object.keys(languages).find((known) => known === name || otherNames[known]?.includes(name)) ?? null;
}

const otherNames: Readonly<Record<string, readonly string[]>> = {
  bash: ["sh", "shell", "zsh", "console"],
  cpp: ["c++"],
  diff: ["patch"],
  javascript: ["js", "jsx", "mjs"],
  json: ["jsonc"],
  python: ["py"],
  ruby: ["rb"],
  rust: ["rs"],
  typescript: ["ts", "tsx"],
  xml: ["html"],
  yaml: ["yml"],
};
const longest = 30_000;

/** Its output is spans with classes around escaped text; a style goes to the end of its span, and never over a line's end. */
function styledLines(html: string, theme: Theme): readonly string[] {
  const open: string[] = [];
  let out = "";
  for (const part of html.split(/(<span class="[^"]*">|<\/span>)/)) {
    if (part === "</span>") open.pop();
    else if (part.startsWith('<span class="')) open.push(part.slice(13, -2));
    else
      out += part
        .split("\n")
        .map((line) => styleOf(open.at(-1), theme)(unescaped(line)))
        .join("\n");
  }
  return out.split("\n");
}

function styleOf(classes: string | undefined, theme: Theme): Style {
  const name = /hljs-([\w-]+)/.exec(classes ?? "")?.[1] ?? "";
  if (/^(keyword|literal|selector-tag|built_in)$/.test(name)) return theme.accent;
  if (/^(string|regexp|addition)$/.test(name)) return theme.success;
  if (/^(comment|meta|quote)$/.test(name)) return theme.dim;
  if (/^(number|symbol|attr|attribute|variable)$/.test(name)) return theme.code;
  if (/^(title|name|section|type|class)/.test(name)) return theme.heading;
  return name === "deletion" ? theme.removed : theme.plain;
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}
