// The scripted model server of src/testing, for scripts and benchmarks: bundled once.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export async function loadLoopback() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../src/testing/loopback.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    write: false,
  });
  const text = Buffer.from(outputFiles[0].contents).toString("base64");
  return (await import(`data:text/javascript;base64,${text}`)).startLoopback;
}
