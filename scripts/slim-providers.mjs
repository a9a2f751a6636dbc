// Bundling the model providers without what they carry along unused: 40 ms of loading become 15. Their versions are pinned in
// package.json; a version that no longer looks as is written here fails the build.
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
      const name = /.*@ai-sdk[\\/]([^\\/]+)/.exec(path)[1];
      return { contents: slimmed(name, await readFile(path, "utf8")), loader: "js" };
    });
    build.onResolve({ filter: /^zod\/v3$/ }, ({ importer }) => {
      return /[\\/]@ai-sdk[\\/]/.test(importer) ? { path: "zod/v3", namespace: "slim-providers" } : undefined;
    });
    build.onLoad({ filter: /.*/, namespace: "slim-providers" }, () => ({
      contents: "export const ZodFirstPartyTypeKind = {};",
    }));
  },
};

/** What each package must hold for the above to be right. */
const schemas = { what: "zod by its name", pattern: /import \{ z(?: as (\w+))? \} from "zod\/v4"/g };
const headers = {
  what: "headers that join a user agent",
  pattern: /const normalizedHeaders = new Headers\(normalizeHeaders\(headers\)\);/,
};
const former = {
  what: "zod 3 for its kinds alone",
  pattern: /import \{\s*ZodFirstPartyTypeKind\b[^}]*\} from "zod\/v3"/,
};
const held = {
  anthropic: [schemas],
  google: [schemas],
  openai: [schemas],
  "openai-compatible": [schemas],
  provider: [],
  "provider-utils": [headers, former],
};

/** A provider's module without its weight; throws when it is not the module that we know. */
export function slimmed(name, text) {
  const expected = held[name];
  if (expected === undefined) throw new Error(`@ai-sdk/${name} is not known: see scripts/slim-providers.mjs`);
  for (const { what, pattern } of expected) {
    if (text.search(pattern) === -1)
      throw new Error(`@ai-sdk/${name} has no ${what} any more: see scripts/slim-providers.mjs`);
  }
  const contents = text.replaceAll(schemas.pattern, (_, alias = "z") => `import * as ${alias} from "zod/v4"`);
  return name === "provider-utils" ? `${lightHeaders}\n${contents}` : contents;
}

const lightHeaders = "const Headers = function (init) { return new Map(Object.entries(init ?? {})); };";
