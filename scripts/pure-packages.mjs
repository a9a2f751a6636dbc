// Makes pi-tui cheap to start with: its modules are left out where nobody uses them, and three regular expressions that take V8 tens of
// milliseconds to build are built when they are first needed.
import { readFile } from "node:fs/promises";

const packages = /node_modules[\\/]@earendil-works[\\/]pi-tui[\\/]/;
const late = ["zeroWidthRegex", "leadingNonPrintingRegex", "rgiEmojiRegex"];

export const purePackages = {
  name: "pure-packages",
  setup(build) {
    build.onResolve({ filter: /^@earendil-works\/pi-tui(\/.*)?$|^\.\.?\/.*\.js$/ }, async (request) => {
      if (request.pluginData === "resolving") return undefined;
      if (request.path.startsWith(".") && !packages.test(request.importer)) return undefined;
      const { path, importer, resolveDir, kind } = request;
      const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: "resolving" });
      return found.errors.length > 0 ? undefined : { path: found.path, sideEffects: false };
    });
    build.onLoad({ filter: /pi-tui[\\/]dist[\\/]utils\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: late.reduce(built, source), loader: "js" };
    });
  },
};

/** `const name = /…/v;` becomes something that behaves like it and holds nothing yet. */
function built(source, name) {
  const definition = new RegExp(`const ${name} = (/.*/v);`);
  const found = definition.exec(source);
  if (found === null) throw new Error(`pi-tui has no ${name} any more: see scripts/pure-packages.mjs`);
  const real = `(${name}Built ??= ${found[1]})`;
  return source.replace(
    definition,
    () =>
      `let ${name}Built; const ${name} = { test: (text) => ${real}.test(text), [Symbol.replace]: (text, by) => text.replace(${real}, by) };`,
  );
}
