/** The page's files, read once into a table: only these exact names are served, no path is ever made of what was asked. */
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** The same, as the build compressed it; the smallest first. */
  readonly packed?: readonly PackedAsset[];
}

interface PackedAsset {
  readonly encoding: "br" | "gzip";
  readonly bytes: Buffer;
}

/** Names as they stand in the URL below the page's folder; the page itself is "". `?list`, which no URL can name, is the list's. */
export type Assets = ReadonlyMap<string, Asset>;

/** Null where the page was not built. */
export async function loadAssets(folder?: string): Promise<Assets | null> {
  const found = folder ?? (await pageFolder());
  if (found === null) return null;
  const table = new Map<string, Asset>();
  table.set("", await loadAsset(join(found, "index.html"), types[".html"]!));
  table.set("?list", await loadAsset(join(found, "list.html"), types[".html"]!));
  for (const name of await readdir(join(found, "assets")).catch(() => [])) {
    const type = types[extname(name)];
    if (type === undefined || !/^[\w][\w.-]*$/.test(name)) continue;
    table.set(`assets/${name}`, await loadAsset(join(found, "assets", name), type));
  }
  return table;
}

async function loadAsset(path: string, type: string): Promise<Asset> {
  const packed = await Promise.all(
    packings.map(async ({ encoding, ending }) => ({
      encoding,
      bytes: await readFile(`${path}${ending}`).catch(() => null),
    })),
  );
  return {
    type,
    bytes: await readFile(path),
    packed: packed.flatMap(({ encoding, bytes }) => (bytes === null ? [] : [{ encoding, bytes }])),
  };
}

const packings = [
  { encoding: "br", ending: ".br" },
  { encoding: "gzip", ending: ".gz" },
] as const;

/** The bundle, its chunks, the library's files and the sources lie at different depths; a built page alone has `assets`. */
const places = ["../page/", "../../page/", "../../../../page/", "../../../../dist/page/"];

export async function pageFolder(): Promise<string | null> {
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
