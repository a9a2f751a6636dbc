// Makes docs/index.html: README and the pages of docs/ as one file to read, offline, with a search. `npm run site`, or
// `node scripts/site.mjs <file>` to write it elsewhere (pictures are looked for beside it, links to other files from docs/).
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import markdownIt from "markdown-it";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");

const groups = [
  {
    title: "Begin",
    pages: [
      "README.md",
      "docs/review.md",
      "docs/models.md",
      "docs/settings.md",
      "docs/rules.md",
      "docs/hooks.md",
      "docs/undo.md",
    ],
  },
  { title: "In a team, in CI", pages: ["docs/ci.md", "docs/proof.md", "docs/teams.md"] },
  { title: "Other agents", pages: [...pagesIn("docs/agents"), "docs/editors.md", "docs/crashtest.md"] },
  { title: "Know", pages: ["docs/security.md", "docs/scout.md", "docs/figures.md", "docs/embedding.md"] },
  { title: "Change it", pages: ["AGENTS.md", "ARCHITECTURE.md", "docs/contributing.md"] },
  { title: "Specification", pages: [...pagesIn("docs/spec"), "docs/conformance.md"] },
];
/** A page that nobody put into a group stands in the last but one. */
const listed = new Set(groups.flatMap(({ pages }) => pages));
groups.at(-2).pages.push(...pagesIn("docs").filter((page) => !listed.has(page)));

const known = new Set(groups.flatMap(({ pages }) => pages));
writeFileSync(process.argv[2] ?? join(root, "docs/index.html"), site());

function pagesIn(folder) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"));
  return names.toSorted().map((name) => `${folder}/${name}`);
}

/** What stands behind `#`: the path without what all have in common. */
function keyOf(page) {
  return page
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .toLowerCase();
}

function site() {
  const [style, script] = [read("scripts/site/style.css"), read("scripts/site/search.js")];
  const policy = `default-src 'none'; img-src 'self' file: data:; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`;
  const made = groups.map(({ title, pages }) => ({ title, pages: pages.map(article) }));
  const nav = made.map(
    ({ title, pages }) =>
      `<h2>${escaped(title)}</h2><ul>${pages.map((page) => `<li><a href="#${page.key}">${escaped(page.title)}</a></li>`).join("")}</ul>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Groundplan</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header><a href="#readme">Groundplan</a><input id="search" type="search" placeholder="Search   ( / )" aria-label="Search" autocomplete="off"></header>
<nav aria-label="Pages">${nav.join("\n")}</nav>
<main>
<section id="results" aria-live="polite" hidden></section>
${made.flatMap(({ pages }) => pages.map(({ html }) => html)).join("\n")}
</main>
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function article(page) {
  const key = keyOf(page);
  const seen = new Map();
  const md = markdownIt({ html: false });
  const tokens = md.parse(read(page), {});
  let title = "";
  for (const [at, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const text = plain(tokens[at + 1]);
    if (title === "") title = text;
    token.attrSet("id", `${key}/${slugOf(text, seen)}`);
  }
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === "link_open") token.attrSet("href", addressOf(token.attrGet("href"), page));
    if (token.type === "image") token.attrSet("src", fromDocs(token.attrGet("src"), page));
  }
  const body = md.renderer
    .render(tokens, md.options, {})
    .replaceAll("<table>", '<div class="wide"><table>')
    .replaceAll("</table>", "</table></div>");
  return { key, title, html: `<article id="${key}" data-title="${escaped(title)}">\n${body}</article>` };
}

function plain({ children }) {
  return children.map(({ content }) => content).join("");
}

/** As code hosts make them, so that the same link leads there too. */
function slugOf(text, seen) {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
  const count = seen.get(slug) ?? 0;
  seen.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/** A page is a place in this file; every other file is where it is. */
function addressOf(link, page) {
  if (/^[a-z]+:/.test(link)) return link;
  const [path, anchor] = link.split("#");
  const target = path === "" ? page : posix.join(posix.dirname(page), path);
  if (known.has(target)) return `#${keyOf(target)}${anchor === undefined ? "" : `/${anchor}`}`;
  return fromDocs(link, page);
}

function fromDocs(link, page) {
  const path = posix.join(posix.dirname(page), link);
  if (!existsSync(join(root, path.split("#")[0]))) throw new Error(`${page}: ${link} leads nowhere`);
  return posix.relative("docs", path);
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
