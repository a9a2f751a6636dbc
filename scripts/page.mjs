// Builds the review page into dist/page: index.html, and scripts and styles under assets/ with their content's hash in the name; each
// also as it travels (.br, .gz).
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = "src/faces/browser/page";

/** Rules that the page's options turn off, and the drawing that it does itself. */
const unused = {
  "src/renderer.ts": "var Renderer = class {};",
  "src/rules_core/linkify.ts": "function linkify$1() {}",
  "src/rules_core/replacements.ts": "function replace() {}",
  "src/rules_core/smartquotes.ts": "function smartquotes() {}",
  "src/common/html_blocks.ts": "",
  "src/common/html_re.ts": "",
  "src/rules_block/html_block.ts": "function html_block() { return false; }",
  "src/rules_inline/html_inline.ts": "function html_inline() { return false; }",
  "src/rules_inline/linkify.ts": "function linkify() { return false; }",
};

async function withoutUnused(path) {
  let text = await readFile(path, "utf8");
  for (const [region, instead] of Object.entries(unused)) {
    const start = text.indexOf(`//#region ${region}\n`);
    const end = text.indexOf("//#endregion", start);
    if (start < 0 || end < 0) throw new Error(`markdown-it has no ${region} any more: see scripts/page.mjs`);
    text = text.slice(0, start) + instead + text.slice(end);
  }
  for (const [written, instead] of slower) {
    if (text.search(written) < 0) throw new Error(`markdown-it has no ${written} any more: see scripts/page.mjs`);
    text = text.replaceAll(written, instead);
  }
  return text;
}

/** A whole library handed on for plugins costs a file more at the first load, presets are not used; a field that is set is quicker. */
const slower = [
  [/^\tmdurl,\n\tucmicro\n/gm, ""],
  [/^\tzero: \{\n(?:\t\t.*\n)*\t\},\n\tcommonmark: \{\n(?:\t\t.*\n)*\t\}\n/gm, ""],
  [/_defineProperty\(\s*this,\s*(?:\/\*(?:[^*]|\*(?!\/))*\*\/\s*)?"(\w+)",/g, "this.$1 = ("],
];

/** The parts of markdown-it that the page never reaches, or has smaller: 30 of 60 KB. */
const slimMarkdown = {
  name: "slim-markdown",
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]markdown-it\.mjs$/ }, async ({ path }) => ({ contents: await withoutUnused(path) }));
    const parts = {
      entities: `export { decodeEntity as decodeHTMLStrict } from "./${page}/markdown/entities.ts";`,
      mdurl: `export { parse, format, decode, format as encode } from "./${page}/markdown/addresses.ts";`,
      "uc.micro": "export const P = /\\p{P}/u, S = /\\p{S}/u;",
      "linkify-it": "export class LinkifyIt {}",
      "punycode.js": "export default {};",
    };
    bundler.onResolve({ filter: /^(entities|mdurl|uc\.micro|linkify-it|punycode\.js)$/ }, ({ path, importer }) => {
      return /[\\/]markdown-it[\\/]/.test(importer) ? { path, namespace: "slim" } : undefined;
    });
    bundler.onLoad({ filter: /.*/, namespace: "slim" }, ({ path }) => ({ contents: parts[path], resolveDir: root }));
  },
};

/** As a module each: what wraps others is a file of its own, which every page would load first. */
const plainHighlighter = {
  name: "plain-highlighter",
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]highlight\.js[\\/]lib[\\/].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!/^module\.exports = \w+;$/m.test(text)) throw new Error(`${path} exports otherwise: see scripts/page.mjs`);
      return { contents: text.replace(/^module\.exports = (\w+);$/m, "export default $1;") };
    });
  },
};

/** What is loaded late says that it needs all of the first load: so that this is one file, and not what both use and the rest. */
const oneFirstFile = {
  name: "one-first-file",
  setup(bundler) {
    const path = join(root, page, "main.tsx");
    bundler.onResolve({ filter: /main\.tsx$/ }, () => ({ path, sideEffects: true }));
    bundler.onLoad({ filter: /[\\/]view[\\/]later\.ts$/ }, async ({ path }) => {
      return { contents: `import "../main.tsx";\n${await readFile(path, "utf8")}`, loader: "ts" };
    });
  },
};

const common = { absWorkingDir: root, bundle: true, minify: true, legalComments: "none", logLevel: "warning" };
const forBrowsers = {
  ...common,
  outdir: "dist/page/assets",
  entryNames: "[name]-[hash]",
  format: "esm",
  platform: "browser",
  target: "es2022",
  metafile: true,
  tsconfig: `${page}/tsconfig.json`,
};

export async function buildPage() {
  const { metafile } = await build({
    ...forBrowsers,
    entryPoints: [`${page}/main.tsx`, `${page}/style/page.css`],
    chunkNames: "[name]-[hash]",
    splitting: true,
    plugins: [slimMarkdown, plainHighlighter, oneFirstFile],
  });
  const outputs = Object.entries(metafile.outputs);
  const nameOf = (source) => basename(outputs.find(([, { entryPoint }]) => entryPoint === `${page}/${source}`)[0]);
  const html = await readFile(join(root, page, "index.html"), "utf8");
  const address = (source) => `assets/${nameOf(source)}`;
  const main = `dist/page/${address("main.tsx")}`;
  const [first, ...more] = metafile.outputs[main].imports;
  if (more.length > 0) throw new Error("The first load is more than one file.");
  const document = html
    .replace("style/page.css", address("style/page.css"))
    .replace("main.tsx", `assets/${basename(first.path)}`);
  await rm(join(root, main), { force: true });
  const made = outputs.filter(([path]) => path !== main).map(([path]) => join(root, path));
  for (const path of made) await compress(path, await readFile(path));
  await compress(join(root, "dist/page/index.html"), Buffer.from(document));
  await writeFile(join(root, "dist/page/index.html"), document);
  await buildExport();
  made.push(...(await buildList()));
  await removeOld(new Set(made.flatMap((path) => [path, `${path}.br`, `${path}.gz`].map((one) => basename(one)))));
  return metafile;
}

/** The list of waiting plans: a page of its own, so that it adds nothing to the other. */
async function buildList() {
  const { metafile } = await build({
    ...forBrowsers,
    entryPoints: [`${page}/list/list.ts`, `${page}/list/list.css`],
  });
  const made = Object.keys(metafile.outputs).map((path) => join(root, path));
  for (const path of made) await compress(path, await readFile(path));
  const nameOf = (ending) => `assets/${basename(made.find((path) => path.endsWith(ending)))}`;
  const html = await readFile(join(root, page, "list/list.html"), "utf8");
  const document = html.replace('"list.css"', `"${nameOf(".css")}"`).replace('"list.ts"', `"${nameOf(".js")}"`);
  await compress(join(root, "dist/page/list.html"), Buffer.from(document));
  await writeFile(join(root, "dist/page/list.html"), document);
  return made;
}

/** The page's renderer as a module for Node, which makes one file of a plan (`plans export --html`). It is not served. */
async function buildExport() {
  const style = await build({ ...common, entryPoints: [`${page}/export/export.css`], write: false });
  await build({
    ...common,
    entryPoints: [`${page}/export/document.tsx`],
    outfile: "dist/page/export.cjs",
    format: "cjs",
    platform: "node",
    target: "node20.19",
    external: ["*/colours.ts"],
    define: { exportStyle: JSON.stringify(style.outputFiles[0].text.trim()) },
    tsconfig: `${page}/tsconfig.json`,
    plugins: [slimMarkdown],
  });
}

/** As small as it gets, since it is done once. */
async function compress(path, bytes) {
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

/** Files of earlier builds go last: a program that runs meanwhile finds a whole page at any time. */
async function removeOld(current) {
  const folder = join(root, "dist/page/assets");
  const old = (await readdir(folder)).filter((name) => !current.has(name));
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
