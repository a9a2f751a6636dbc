/** Pictures where there is no git: copies of the files that our tools touched, each content once. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "../host/config-home.ts";
import { exists } from "../host/files/entries.ts";
import { readRegular, readRegularText } from "../host/files/read-regular.ts";
import { replaceFile } from "../host/files/replace-file.ts";
import { oneAtATime } from "../host/one-at-a-time.ts";
import { fields, isObject, oneOf, orNull, text } from "../../core/wire/shape.ts";
import { blobHash, type BytePath } from "../watch/work-tree-files.ts";
import { contentAt, entryLooker, shownPath } from "./entries.ts";
import { isSameEntry, notKept, type EntryChange, type KeptEntry, type TreePicture, type PointStore } from "./store.ts";

/** Null: there was no such file. A path that is not in it was not looked at. */
type Pages = Readonly<Record<BytePath, KeptEntry | null>>;

/** `newest`: the picture that was taken last, by an earlier process. */
export function copyStore(root: string, folder: string, newest: string | null): PointStore {
  const own = join(folder, "copies");
  const inTurn = oneAtATime();
  let known: Pages | null = null;
  let written = 0;
  let last = newest;

  const keep = async (content: Buffer): Promise<string> => {
    const hash = blobHash(content, "sha256");
    const place = join(own, hash);
    if (await exists(place)) return hash;
    written += content.length;
    await makePrivateFolder(own);
    await replaceFile(place, content);
    return hash;
  };
  const pagesOf = async (name: string): Promise<Pages> => {
    const text = await readRegularText(join(own, name)).catch(() => null);
    if (text === null) throw new Error(notKept);
    return readPages(text);
  };
  const keepOnly = async (names: readonly string[]): Promise<void> => {
    const pictures = new Set(last === null ? names : [...names, last]);
    const needed = new Set(pictures);
    for (const name of pictures)
      for (const entry of Object.values(await pagesOf(name).catch(() => ({}))))
        if (entry !== null) needed.add(entry.hash);
    for (const name of await readdir(own)) if (!needed.has(name)) await rm(join(own, name), { force: true });
  };
  const take = async (paths: readonly BytePath[] | null): Promise<TreePicture> => {
    const looker = entryLooker(root);
    const before = known ?? (newest === null ? {} : await pagesOf(newest));
    const pages: Record<BytePath, KeptEntry | null> = { ...before };
    const large: string[] = [];
    for (const path of paths ?? Object.keys(before)) {
      const facts = await looker.stat(path);
      const found = facts === null ? null : await contentAt(root, path, facts);
      if (facts !== null && found === null) {
        large.push(shownPath(path));
        delete pages[path];
      } else pages[path] = found === null ? null : { kind: found.kind, hash: await keep(found.content) };
    }
    known = pages;
    const name = await keep(Buffer.from(JSON.stringify(pages), "utf8"));
    last = name;
    return { name, left: { nested: [], large }, missed: (paths ?? []).filter((path) => pages[path] === undefined) };
  };
  return {
    kind: "copies",
    hashName: "sha256",
    take: (paths) => inTurn(() => take(paths)),
    changes: async (pairs) =>
      Promise.all(pairs.map(async ([from, to]) => between(await pagesOf(from), await pagesOf(to)))),
    read: async (hashes) => {
      const found = new Map<string, Buffer>();
      for (const hash of new Set(hashes)) {
        const content = await readRegular(join(own, hash)).catch(() => null);
        if (content !== null) found.set(hash, content);
      }
      return found;
    },
    written() {
      const sum = written;
      written = 0;
      return sum;
    },
    keepOnly: (names) => inTurn(() => keepOnly(names)),
  };
}

function between(from: Pages, to: Pages): readonly EntryChange[] {
  return Object.entries(from).flatMap(([path, before]) => {
    const after = to[path];
    return after === undefined || isSameEntry(before, after) ? [] : [{ path, before, after }];
  });
}

function readPages(written: string): Pages {
  const value: unknown = JSON.parse(written);
  if (!isObject(value) || !Object.values(value).every(isEntry)) throw new Error("a picture of the files is damaged");
  return value as Pages;
}

const isEntry = orNull(fields({ kind: oneOf("file", "program", "link"), hash: text }));
