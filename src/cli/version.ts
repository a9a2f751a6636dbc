/** The version of this program, and what it was built of. */
import { readFileSync } from "node:fs";

/** The bundle and the library's files lie at different depths below the package. */
export const version =
  ["../../package.json", "../../../package.json"]
    .map((path) => readVersion(new URL(path, import.meta.url)))
    .find((found) => found !== null) ?? "unknown";

/** For a report of what went wrong: the build writes its commit beside the program, which is the same without it. */
export function versionText(): string {
  return `${version} (${builtOf() ?? "built without git"}, Node ${process.version})`;
}

function builtOf(): string | null {
  try {
    const built = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as { commit?: unknown };
    return typeof built.commit === "string" ? `commit ${built.commit}` : null;
  } catch {
    return null;
  }
}

function readVersion(path: URL): string | null {
  try {
    const { name, version: found } = JSON.parse(readFileSync(path, "utf8")) as { name?: string; version?: string };
    return name === "groundplan" && found !== undefined ? found : null;
  } catch {
    return null;
  }
}
