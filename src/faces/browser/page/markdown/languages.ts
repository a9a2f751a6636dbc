/** Which languages are coloured, and under which names plans write them. */

export interface Piece {
  readonly text: string;
  /** A class name, or empty. */
  readonly scope: string;
}
export type ColouredLine = readonly Piece[];

const names = {
  bash: ["bash", "sh", "shell", "zsh", "console", "shellsession"],
  typescript: ["typescript", "ts", "tsx", "mts", "cts", "javascript", "js", "jsx", "mjs", "cjs"],
  json: ["json", "jsonc", "json5", "jsonl"],
  python: ["python", "py"],
  diff: ["diff", "patch"],
  yaml: ["yaml", "yml"],
  xml: ["xml", "html", "svg", "vue", "svelte"],
  css: ["css", "scss", "less"],
  sql: ["sql"],
  go: ["go", "golang"],
  rust: ["rust", "rs"],
  java: ["java"],
  kotlin: ["kotlin", "kt"],
  swift: ["swift"],
  ruby: ["ruby", "rb"],
  php: ["php"],
  cpp: ["c", "cpp", "c++", "h", "hpp", "cc"],
  csharp: ["csharp", "cs", "c#"],
  ini: ["ini", "toml", "conf", "env", "properties"],
  dockerfile: ["dockerfile", "docker"],
  markdown: ["markdown", "md"],
} as const;

export type LanguageName = keyof typeof names;

export function languageOf(name: string): LanguageName | null {
  const wanted = name.toLowerCase();
  const found = Object.entries(names).find(([, list]) => (list as readonly string[]).includes(wanted));
  return found === undefined ? null : (found[0] as LanguageName);
}
