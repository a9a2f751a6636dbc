/** The page's files, read once into a table: only these exact names are served, no path is ever made of what was asked. */
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Names as they stand in the URL below the page's folder; the page itself is "". */
export type Assets = ReadonlyMap<string, Asset>;

/** Null where the page was not built. */
export async function loadAssets(folder?: string): Promise<Assets | null> {
  const found = folder ?? (await pageFolder());
  if (found === null) return null;
  const table = new Map<string, Asset>();
  table.set("", { type: types[".html"]!, bytes: await readFile(join(found, "index.html")) });
  for (const name of await readdir(join(found, "assets")).catch(() => [])) {
    const type = types[extname(name)];
    if (type === undefined || !/^[\w][\w.-]*$/.test(name)) continue;
    table.set(`assets/${name}`, { type, bytes: await readFile(join(found, "assets", name)) });
  }
  return table;
}

/** The bundle, its chunks, the library's files and the sources lie at different depths; a built page alone has `assets`. */
const places = ["../page/", "../../page/", "../../../../page/", "../../../../dist/page/"];

async function pageFolder(): Promise<string | null> {
  for (const place of places) {
    const folder = fileURLToPath(new URL(place, import.meta.url));
    if ((await stat(join(folder, "assets")).catch(() => null)) !== null) return folder;
  }
  return null;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};
