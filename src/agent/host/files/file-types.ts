/** Names of file types as ripgrep has them, for the search without it. */

/** Undefined: no such type. */
export function extensionsOf(type: string): RegExp | undefined {
  if (!Object.hasOwn(types, type)) return undefined;
  return new RegExp(`\\.(${types[type]!.replaceAll(" ", "|").replaceAll("+", "\\+")})$`, "i");
}

const types: Readonly<Record<string, string>> = {
  c: "c h H",
  cpp: "cc cpp cxx c++ C h hh hpp hxx h++ inl",
  cs: "cs",
  csharp: "cs",
  css: "css scss",
  dart: "dart",
  elixir: "ex exs eex heex leex livemd",
  go: "go",
  graphql: "graphql graphqls",
  haskell: "hs lhs cpphs c2hs hsc",
  html: "htm html ejs",
  java: "java jsp jspx properties",
  js: "js jsx vue cjs mjs",
  json: "json sarif",
  kotlin: "kt kts",
  lua: "lua",
  markdown: "markdown md mdown mdwn mdx mkd mkdn",
  md: "markdown md mdown mdwn mdx mkd mkdn",
  perl: "perl pl PL plh plx pm t",
  php: "php php3 php4 php5 php7 php8 pht phtml",
  proto: "proto",
  py: "py pyi",
  python: "py pyi",
  r: "R r Rmd Rnw",
  rb: "rb gemspec rbw",
  ruby: "rb gemspec rbw",
  rust: "rs",
  sass: "sass scss",
  scala: "scala sbt",
  sh: "bash csh ksh sh tcsh zsh",
  sql: "sql psql",
  svelte: "svelte",
  swift: "swift",
  toml: "toml",
  ts: "ts tsx cts mts",
  txt: "txt",
  typescript: "ts tsx cts mts",
  vue: "vue",
  xml: "xml dtd xsl xslt xsd xjb rng sch xhtml",
  yaml: "yaml yml",
  zig: "zig",
};
