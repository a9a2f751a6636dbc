// Bundling the model providers without what they carry along unused: 40 ms of loading become 15.
import { readFile } from "node:fs/promises";

/**
 * Three things, each only inside the provider packages: zod's locales and unused schemas fall away when it is imported as a
 * namespace; zod 3 is there for schemas that callers bring, and we bring none; their `Headers` (used to join a user agent
 * to a plain object) would load Node's whole fetch, for 18 ms and 7 MB.
 */
export const slimProviders = {
  name: "slim-providers",
  setup(build) {
    build.onLoad({ filter: /[\\/]@ai-sdk[\\/][^\\/]+[\\/]dist[\\/]index\.mjs$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents = text.replaceAll(/import \{ z(?: as (\w+))? \} from "zod\/v4"/g, (_, name = "z") => {
        return `import * as ${name} from "zod/v4"`;
      });
      return { contents: `${lightHeaders}\n${contents}`, loader: "js" };
    });
    build.onResolve({ filter: /^zod\/v3$/ }, ({ importer }) => {
      return /[\\/]@ai-sdk[\\/]/.test(importer) ? { path: "zod/v3", namespace: "slim-providers" } : undefined;
    });
    build.onLoad({ filter: /.*/, namespace: "slim-providers" }, () => ({
      contents: "export const ZodFirstPartyTypeKind = {};",
    }));
  },
};

const lightHeaders = "const Headers = function (init) { return new Map(Object.entries(init ?? {})); };";
