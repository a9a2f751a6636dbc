/** The version of this program. */
import { readFileSync } from "node:fs";

/** The bundle and the library's files lie at different depths below the package. */
export const version =
  ["../../package.json", "../../../package.json"]
    .map((path) => readVersion(new URL(path, import.meta.url)))
    .find((found) => found !== null) ?? "unknown";

function readVersion(path: URL): string | null {
  try {
    const { name, version: found } = JSON.parse(readFileSync(path, "utf8")) as { name?: string; version?: string };
    return name === "groundplan" && found !== undefined ? found : null;
  } catch {
    return null;
  }
}
