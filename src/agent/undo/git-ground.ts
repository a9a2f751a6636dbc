/**
 * A git folder of our own beside the session: its own configuration, index and objects, with the repository's objects to borrow from.
 * Nothing that the repository configures is read by whoever works here, and nothing is written to it (B15.2).
 */
import { copyFile, mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makePrivateFolder } from "../host/config-home.ts";
import { exists } from "../host/files/entries.ts";
import { hasBlockingIgnore } from "../host/files/ignore-files.ts";
import { readRegular } from "../host/files/read-regular.ts";
import { ownEnvironment } from "../host/launch/environment.ts";
import { parseSettings } from "../host/launch/git-config.ts";
import { askGit } from "../host/launch/own-git.ts";
import type { HashName } from "../watch/work-tree-files.ts";

/** Asks our own git; rejects where it fails. Output as bytes in a string. */
export type OwnGit = (args: readonly string[], input?: Buffer) => Promise<string>;

/** What the person's repository is. */
export interface PersonsRepository {
  readonly root: string;
  /** Where objects, exclusions and attributes are shared by its work trees. */
  readonly common: string;
  readonly index: string;
  readonly hashName: HashName;
  readonly excludesFile: string | null;
  /** Git turns line ends here, by configuration. */
  readonly turnsLineEnds: boolean;
  readonly attributesFile: string | null;
}

/** Null where the folder is no work tree's top, or git cannot be asked. */
export async function findRepository(root: string): Promise<PersonsRepository | null> {
  if (await hasBlockingIgnore(root)) return null;
  const place = { directory: root, environment: ownEnvironment(root), timeoutMs: 20_000 };
  const [places, settings] = await Promise.all([
    askGit(
      [
        "rev-parse",
        "--path-format=absolute",
        "--show-toplevel",
        "--git-common-dir",
        "--git-path",
        "index",
        "--show-object-format",
      ],
      place,
    ),
    askGit(["config", "--list", "-z", "--show-origin", "--includes"], place),
  ]);
  const [top, common, index, format] = places.bytes.toString("utf8").trimEnd().split("\n");
  if (places.code !== 0 || settings.code !== 0 || top !== root || common === undefined || index === undefined)
    return null;
  const listed = parseSettings(settings.bytes.toString("utf8"));
  const valueOf = (key: string): string | null => listed.findLast((setting) => setting.key === key)?.value ?? null;
  const file = async (key: string): Promise<string | null> => {
    const path = expanded(valueOf(key), place.environment["HOME"]);
    return path !== null && (await stat(path).catch(() => null))?.isFile() === true ? path : null;
  };
  return {
    root,
    common,
    index,
    hashName: format === "sha256" ? "sha256" : "sha1",
    excludesFile: await file("core.excludesfile"),
    attributesFile: await file("core.attributesfile"),
    turnsLineEnds: !["false", "0", "no", "off", null].includes(valueOf("core.autocrlf")),
  };
}

/** Made where it is missing. */
export async function layGround(own: string, { common, hashName, excludesFile }: PersonsRepository): Promise<void> {
  if (await exists(join(own, "HEAD"))) return;
  for (const folder of [own, join(own, "info"), join(own, "refs"), join(own, "objects"), join(own, "objects", "info")])
    await makePrivateFolder(folder);
  const write = (path: string, content: string | Buffer): Promise<void> =>
    writeFile(join(own, path), content, { mode: 0o600 });
  const excluded = await readRegular(join(common, "info", "exclude"), { limit: 1 << 20 }).catch(() => Buffer.alloc(0));
  await write("objects/info/alternates", `${quoted(join(common, "objects"))}\n`);
  await write("info/exclude", Buffer.concat([excluded, Buffer.from(`\n${ownDrafts}\n`)]));
  await write("info/attributes", "* -text -crlf -eol -ident -filter -working-tree-encoding -diff -merge\n");
  await write("config", configuration(hashName, excludesFile));
  await write("HEAD", "ref: refs/heads/none\n");
}

/** The repository's index as ours, with what it is split into, to begin with: what it vouches for need not be read. Not younger than it is, so that git doubts what it must. */
export async function copyIndex({ index }: PersonsRepository, own: string): Promise<boolean> {
  const facts = await stat(index).catch(() => null);
  if (facts?.isFile() !== true) return false;
  await mkdir(own, { recursive: true });
  const copy = join(own, "index");
  await copyFile(index, copy);
  const earlier = Math.floor(facts.mtimeMs) / 1000 - 0.001;
  await utimes(copy, earlier, earlier);
  const around = dirname(index);
  for (const name of (await readdir(around)).filter((one) => one.startsWith("sharedindex.")))
    await copyFile(join(around, name), join(own, name));
  return true;
}

export function groundEnvironment(root: string, own: string): Record<string, string> {
  return {
    ...ownEnvironment(root),
    GIT_DIR: own,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: join(own, "index"),
    GIT_OBJECT_DIRECTORY: join(own, "objects"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_LITERAL_PATHSPECS: "1",
  };
}

/** What we write beside a file before it takes its place, at the moment of a picture: nobody's work. */
const ownDrafts = `.groundplan-${"[0-9a-f]".repeat(16)}.tmp`;

function configuration(hashName: HashName, excludesFile: string | null): string {
  const isPlain = hashName === "sha1";
  const lines = [
    "[core]",
    `repositoryformatversion = ${isPlain ? 0 : 1}`,
    "bare = false",
    "fileMode = true",
    "symlinks = true",
    "ignoreCase = false",
    "precomposeUnicode = false",
    "protectNTFS = false",
    "protectHFS = false",
    "trustctime = true",
    "checkStat = default",
    "autocrlf = false",
    "safecrlf = false",
    "splitIndex = false",
    "looseCompression = 1",
    "attributesFile = /dev/null",
    ...(excludesFile === null ? [] : [`excludesFile = ${quoted(excludesFile)}`]),
    ...(isPlain ? [] : ["[extensions]", `objectFormat = ${hashName}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** As git reads it in its files. */
function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}

function expanded(path: string | null, home: string | undefined): string | null {
  if (path === null || path === "") return null;
  return path.startsWith("~/") && home !== undefined ? join(home, path.slice(2)) : path;
}
