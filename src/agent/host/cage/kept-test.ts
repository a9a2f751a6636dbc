/** A self-test that was passed here within a day, kept in the config home: whatever it depended on is part of its name. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { release } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { Environment } from "../../models/providers.ts";
import { rungNames, type RungName } from "../../ports/rung-names.ts";
import { makePrivateFolder } from "../config-home.ts";
import { statOf } from "../files/entries.ts";
import { textAt } from "../files/read-regular.ts";
import { replaceFile } from "../files/replace-file.ts";
import { findProgram } from "../launch/find-program.ts";
import { realOf, searchPath } from "../launch/search-path.ts";
import { cageArguments } from "./bubblewrap.ts";
import { findBinary, rungsTakenAway } from "./find.ts";
import { perlLauncher } from "./landlock-perl.ts";
import { pythonLauncher } from "./landlock-python.ts";
import { rulesetAttribute } from "./landlock.ts";
import { closedFolders } from "./places.ts";
import { isProcessor, seccompProgram } from "./seccomp.ts";
import { rawCalls } from "./self-test-calls.ts";
import { selfTestText } from "./self-test.ts";
import type { Rung } from "./types.ts";

/** What a test was made for. */
export interface TestPlace {
  /** The config home. */
  readonly home: string;
  readonly environment: Environment;
  /** The project's root. */
  readonly root: string;
  readonly now?: () => number;
}

export interface KeptTests {
  /** The rung that passed, if it did so lately and nothing that it depends on has changed. */
  readonly recall: () => PassedRung | null;
  /** Whether a test that is a few minutes old found nothing that holds. */
  readonly isKnownToFail: () => boolean;
  /** Never rejects: where it cannot be kept the next one tests again. */
  readonly keep: (rung: Rung) => Promise<void>;
}

export interface PassedRung {
  readonly name: RungName;
  readonly passedOver: readonly string[];
}

const dayMs = 24 * 60 * 60 * 1000;
/** A machine under load may fail a test that it would pass. */
const failureMs = 5 * 60 * 1000;
const largest = 16 * 1024;

const record = z.strictObject({
  key: z.string(),
  at: z.number(),
  rung: z.enum(rungNames).nullable(),
  passedOver: z.array(z.string()),
});

export function keptTests(place: TestPlace): KeptTests {
  const { home, now = Date.now } = place;
  const folder = join(home, "cages");
  const key = keyOf(place);
  const file = join(folder, `${key.slice(0, 32)}.json`);
  const lately = (): z.infer<typeof record> | null => {
    const text = isOurs(linkAt(home)) && isOurs(linkAt(folder)) ? ownText(file) : null;
    const found = text === null ? null : parsed(text);
    if (found === null || found.key !== key) return null;
    const age = now() - found.at;
    return age >= 0 && age < (found.rung === null ? failureMs : dayMs) ? found : null;
  };
  return {
    recall: () => {
      const found = lately();
      return found === null || found.rung === null ? null : { name: found.rung, passedOver: found.passedOver };
    },
    isKnownToFail: () => lately()?.rung === null,
    keep: async (rung) => {
      const isCaged = rung.kind === "caged";
      const passedOver = (isCaged ? rung.passedOver : [rung.reason]).map((reason) => reason.slice(0, 1_000));
      const text = JSON.stringify({ key, at: now(), rung: isCaged ? rung.name : null, passedOver });
      await write(file, text, now()).catch(() => undefined);
    },
  };
}

async function write(file: string, text: string, now: number): Promise<void> {
  const folder = dirname(file);
  await makePrivateFolder(dirname(folder));
  await makePrivateFolder(folder);
  if (!isOurs(linkAt(folder))) return;
  await replaceFile(file, `${text}\n`, 0o600);
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await lstat(join(folder, name));
    if (now - mtimeMs > dayMs) await rm(join(folder, name), { force: true });
  }
}

function parsed(text: string): z.infer<typeof record> | null {
  try {
    return record.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Only a regular file that nobody but this person can have written. */
function ownText(path: string): string | null {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(file);
    return found.isFile() && isOurs(found) && found.size <= largest ? readFileSync(file, "utf8") : null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function linkAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function isOurs(found: Stats | null): boolean {
  if (found === null || !(found.isFile() || found.isDirectory())) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
}

/** Kernel, rights of this process, mounts, programs, folders, and how our cages are built and tested. */
function keyOf({ home, environment, root }: TestPlace): string {
  const path = searchPath({ path: environment["PATH"], directories: [root], home: environment["HOME"] });
  const programs = [
    findProgram("bwrap", path),
    findBinary("perl", path),
    findBinary("python3", path),
    process.execPath,
  ];
  const status = textAt("/proc/self/status") ?? "";
  const facts = [
    process.platform,
    process.arch,
    release(),
    textAt("/proc/sys/kernel/random/boot_id"),
    [process.getuid?.(), process.geteuid?.(), process.getgid?.()],
    status.split("\n").filter((line) => /^(NoNewPrivs|Seccomp|Seccomp_filters|Cap...):/.test(line)),
    ["user", "mnt", "net", "pid"].map((name) => leadsTo(`/proc/self/ns/${name}`)),
    limits.map((name) => textAt(`/proc/sys/${name}`)),
    textAt("/sys/kernel/security/lsm"),
    textAt("/proc/self/mountinfo"),
    programs.map(stampOf),
    [root, home, environment["HOME"] ?? ""].flatMap((folder) => [folder, realOf(folder)]),
    path,
    environment["TMPDIR"],
    rungsTakenAway(environment),
    blueprint(),
  ];
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}

const limits = [
  "kernel/apparmor_restrict_unprivileged_userns",
  "kernel/unprivileged_userns_clone",
  "user/max_user_namespaces",
];

function leadsTo(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function stampOf(program: string | null): string {
  const stat = program === null ? null : statOf(program);
  return stat === null ? "-" : `${program} ${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.mode}`;
}

/** What our cages are made of: another version of ours that builds or tests them otherwise tests anew. */
function blueprint(): readonly string[] {
  const places = { program: "", uid: 1, gid: 1, closed: closedFolders(), visible: [], hide: [], blank: "" };
  const processor = isProcessor(process.arch) ? process.arch : "x64";
  const filter = { processor, unixSockets: false, metadata: "refused" } as const;
  const calls = { program: { by: "perl", program: "" }, processor, isAlone: false, pid: 1 } as const;
  return [
    selfTestText,
    ...rawCalls(calls).command,
    perlLauncher,
    pythonLauncher,
    seccompProgram(filter).toString("hex"),
    seccompProgram({ ...filter, landlock: { abi: 6, network: false } }).toString("hex"),
    rulesetAttribute(6, "none").toString("hex"),
    ...cageArguments(places, { directory: "/", network: false, command: [] }),
  ];
}
