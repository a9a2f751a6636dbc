/** Surveys a repository: its files reduced to terms, its import graph, its past; what is known from before is not read again. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { cacheFolder, keyOf, readCache, writeCache, type Kept, type KeptFile, type KeptLog } from "./cache.ts";
import { extract, isBinary, nothing, type Extract } from "./extract.ts";
import { headOf, parseLog, readLog, type Commit } from "./history.ts";
import { isWorthReading } from "./kinds.ts";
import { list, type Listed, type Listing } from "./listing.ts";
import { makeVocabulary, type Vocabulary } from "./vocabulary.ts";

/** Where to look. Without `cache` the folder under the config home is used; `cache: false` keeps nothing. */
export interface Repository {
  readonly cwd: string;
  readonly cache?: string | false;
  readonly onProgress?: (line: string) => void;
  /** Files, by absolute path, that a deny rule hides: they are neither read nor named. */
  readonly isHidden?: (path: string) => boolean;
}

export interface Survey {
  readonly root: string;
  readonly paths: readonly string[];
  readonly extracts: readonly Extract[];
  readonly words: readonly string[];
  readonly commits: readonly Commit[];
  readonly notes: readonly string[];
}

const largest = 1_000_000;
const atOnce = 100;
/** A file changed this shortly before the cache was written may have changed again unseen. */
const tooFresh = 2000;

export async function survey({ cwd, cache, onProgress, isHidden }: Repository): Promise<Survey> {
  const listing = shown(await list(cwd), isHidden);
  const folder = cache ?? cacheFolder();
  const kept = folder === false ? undefined : readCache(folder, listing.root);
  const logging = logOf(listing, kept);
  const read = await readFiles(
    listing,
    kept !== undefined && kept.stale > kept.entries.length ? undefined : kept,
    onProgress,
  );
  const log = await logging;
  if (folder !== false && (read.isNew || log?.head !== kept?.log?.head)) {
    const { entries, stale } = read;
    await writeCache(folder, listing.root, { words: read.vocabulary.words, entries, stale, log });
  }
  const paths = listing.files.map(({ path }) => path);
  return {
    root: listing.root,
    paths,
    extracts: read.entries.map(({ extract }) => extract),
    words: read.vocabulary.words,
    commits: log === undefined ? [] : parseLog(log.text, paths),
    notes: [...listing.notes, ...(log?.notes ?? []), ...read.notes],
  };
}

function shown(listing: Listing, isHidden: Repository["isHidden"]): Listing {
  if (isHidden === undefined) return listing;
  return { ...listing, files: listing.files.filter(({ path }) => !isHidden(join(listing.root, path))) };
}

async function logOf({ root, hasGit }: Listing, kept: Kept | undefined): Promise<KeptLog | undefined> {
  if (!hasGit) return undefined;
  const head = await headOf(root);
  if (head === undefined) return { head: "", text: "", notes: ["no commit yet: history is not used"] };
  if (kept?.log?.head === head) return kept.log;
  const log = await readLog(root, head);
  return { head: log.text === "" ? "" : head, ...log };
}

interface Read {
  readonly entries: readonly KeptFile[];
  readonly vocabulary: Vocabulary;
  readonly isNew: boolean;
  readonly stale: number;
  readonly notes: readonly string[];
}

async function readFiles(
  { root, files, readMs }: Listing,
  kept: Kept | undefined,
  onProgress: Repository["onProgress"],
): Promise<Read> {
  const vocabulary = makeVocabulary(kept?.words);
  const byPath = new Map(kept?.entries.map((entry) => [entry.path, entry]));
  const entries: KeptFile[] = [];
  const end = performance.now() + readMs;
  let fresh = 0;
  let unread = 0;
  for (const file of files) {
    const before = byPath.get(file.path);
    if (before?.size === file.size && before.changed === file.changed) {
      entries.push(before);
      continue;
    }
    if (performance.now() > end) {
      unread += 1;
      entries.push({ path: file.path, size: file.size, changed: 0, key: noKey, extract: nothing });
      continue;
    }
    fresh += 1;
    const { key, extract } = readOne(join(root, file.path), file, { vocabulary, before });
    const changed = Date.now() - file.changed < tooFresh ? 0 : file.changed;
    entries.push({ path: file.path, size: file.size, changed, key, extract });
    if (fresh % atOnce === 0) {
      if (fresh % (atOnce * 20) === 0) onProgress?.(`reading ${entries.length} of ${files.length} files`);
      await setImmediate();
    }
  }
  const big = files.filter(({ size }) => size > largest).length;
  const notes = [
    ...(big === 0 ? [] : [`${big} ${big === 1 ? "file" : "files"} above 1 MB known by name only`]),
    ...(unread === 0 ? [] : [`${unread} files not read for want of time: known by name only; the next look reads on`]),
  ];
  const stale = kept === undefined ? 0 : kept.stale + fresh;
  return { entries, vocabulary, isNew: fresh > 0 || entries.length !== byPath.size, stale, notes };
}

interface Known {
  readonly vocabulary: Vocabulary;
  readonly before: KeptFile | undefined;
}

const noKey = "\0".repeat(20);

function readOne(
  place: string,
  { path, size }: Listed,
  { vocabulary, before }: Known,
): { key: string; extract: Extract } {
  if (size > largest || size === 0 || !isWorthReading(path)) return { key: noKey, extract: nothing };
  const bytes = bytesOf(place);
  if (bytes === undefined || isBinary(bytes)) return { key: noKey, extract: nothing };
  const key = keyOf(bytes);
  if (before?.key === key) return before;
  return { key, extract: extract(path, bytes, vocabulary) };
}

/** Reads a regular file of bearable size and nothing else: no link, pipe or device. */
export function bytesOf(place: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= largest ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
