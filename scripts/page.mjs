// Builds the review page into dist/page: index.html, and scripts and styles under assets/ with their content's hash in the name.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = "src/faces/browser/page";

/** The parts of markdown-it that the page never reaches: 15 of 60 KB. Entities are the page's own few (see `entities.ts`). */
const slimMarkdown = {
  name: "slim-markdown",
  setup(bundler) {
    const parts = {
      entities: `export { decodeEntity as decodeHTMLStrict } from "./${page}/markdown/entities.ts";`,
      "linkify-it": "export class LinkifyIt {}",
      "punycode.js": "export default { toASCII: (name) => name, toUnicode: (name) => name };",
    };
    bundler.onResolve({ filter: /^(entities|linkify-it|punycode\.js)$/ }, ({ path }) => ({ path, namespace: "slim" }));
    bundler.onLoad({ filter: /.*/, namespace: "slim" }, ({ path }) => ({ contents: parts[path], resolveDir: root }));
  },
};

export async function buildPage() {
  await rm(join(root, "dist/page"), { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`${page}/main.tsx`, `${page}/style/page.css`],
    outdir: "dist/page/assets",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
    metafile: true,
    tsconfig: `${page}/tsconfig.json`,
    plugins: [slimMarkdown],
    logLevel: "warning",
  });
  const outputs = Object.entries(metafile.outputs);
  const made = (source) => basename(outputs.find(([, { entryPoint }]) => entryPoint === `${page}/${source}`)[0]);
  const html = await readFile(join(root, page, "index.html"), "utf8");
  await mkdir(join(root, "dist/page"), { recursive: true });
  await writeFile(
    join(root, "dist/page/index.html"),
    html
      .replace("style/page.css", `assets/${made("style/page.css")}`)
      .replace("main.tsx", `assets/${made("main.tsx")}`),
  );
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
