// A plugin of esbuild for everything that is bundled: the prompt texts, and the source of the plugin for opencode, become literals.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const prompts = fileURLToPath(new URL("../src/prompts", import.meta.url));
const plugin = fileURLToPath(new URL("../src/clients/opencode-plugin/groundplan.js", import.meta.url));

/** In the bundle the prompt texts are a literal; in the library they are read from beside the compiled file. */
export const inlinePrompts = inlinePromptsLike(/./);

/** Only the files whose names are so. */
export function inlinePromptsLike(wanted) {
  const setup = (build) => {
    build.onLoad({ filter: /prompts[\\/]texts\.ts$/ }, async () => {
      const all = (await readdir(prompts, { recursive: true })).filter((name) => name.endsWith(".md")).toSorted();
      const files = all.filter((name) => wanted.test(name));
      const texts = {};
      for (const file of files) {
        texts[file.replaceAll("\\", "/").slice(0, -3)] = await readFile(join(prompts, file), "utf8");
      }
      return { contents: `const texts = ${JSON.stringify(texts)};\nexport const readText = (name) => texts[name];\n` };
    });
    build.onLoad({ filter: /opencode-plugin[\\/]source\.ts$/ }, async () => {
      const text = await readFile(plugin, "utf8");
      return { contents: `export const pluginSource = () => ${JSON.stringify(text)};\n` };
    });
  };
  return { name: "inline-prompts", setup };
}
