// Packages whose modules do nothing when they are loaded, although they do not say so: parts that nobody uses are left out of a chunk.
const packages = /node_modules[\\/]@earendil-works[\\/]pi-tui[\\/]/;

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
  },
};
