// A plugin of esbuild for everything that is bundled: the prompt texts become a literal.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const prompts = fileURLToPath(new URL("../src/prompts", import.meta.url));

/** In the bundle the prompt texts are a literal; in the library they are read from beside the compiled file. */
export const inlinePrompts = {
  name: "inline-prompts",
  setup(build) {
    build.onLoad({ filter: /prompts[\\/]texts\.ts$/ }, async () => {
      const files = (await readdir(prompts, { recursive: true })).filter((name) => name.endsWith(".md")).toSorted();
      const texts = {};
      for (const file of files) {
        texts[file.replaceAll("\\", "/").slice(0, -3)] = await readFile(join(prompts, file), "utf8");
      }
      return { contents: `const texts = ${JSON.stringify(texts)};\nexport const readText = (name) => texts[name];\n` };
    });
  },
};
