/** The cage of the crash test: an agent may write to its own place alone, and reaches nothing but this machine's loopback, in a network of its own. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { launch } from "../agent/host/launch/launch.ts";
import { findProgram, realPaths } from "../agent/host/launch/find-program.ts";
import type { CrashPlace } from "./place.ts";

export interface CrashCage {
  /** What it is and what it can do, for people. */
  readonly says: string;
  readonly confine: (command: readonly string[], wish: ConfineWish) => readonly string[];
}

export interface ConfineWish {
  readonly place: CrashPlace;
  /** Programs that must be seen, wherever they lie. */
  readonly visible: readonly string[];
}

interface Arrangement {
  readonly flags: readonly string[];
  /** Begins the command line in the cage. */
  readonly before: (place: CrashPlace) => readonly string[];
  readonly says: string;
}

const cagesInside = "agents may build cages of their own inside";
const nobody = 65_534;

/** How processes and rights are arranged; the first lets cages of the agent's own be made inside. */
const arrangements: readonly Arrangement[] = [
  {
    flags: ["--unshare-user", "--cap-add", "ALL"],
    before: () => withProc("exec setpriv --bounding-set=-all,+setfcap --inh-caps=-all,+setfcap"),
    says: cagesInside,
  },
  {
    flags: ["--unshare-user", "--proc", "/proc", "--remount-ro", "/proc", "--cap-drop", "ALL"],
    before: () => [],
    says: "no cage of an agent's own starts inside",
  },
];

/** Root owns devices and the kernel's settings, with no right at all: what root starts runs as nobody. */
const arrangementOfRoot: Arrangement = {
  flags: ["--cap-add", "ALL"],
  before: ({ root }) =>
    withProc(
      `chown -R ${nobody}:${nobody} ${shellWords([root])} && exec setpriv --reuid=${nobody} --regid=${nobody} --clear-groups --bounding-set=-all --inh-caps=-all`,
    ),
  says: `as nobody; ${cagesInside}`,
};

/** A /proc that covers nothing: else no cage starts inside. */
function withProc(command: string): readonly string[] {
  return ["sh", "-c", `mount -t proc proc /proc && ${command} "$@"`, "sh"];
}

const missing = "install it: `apt install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap`";

/** Proves itself first, also that these programs can be read in it: nothing is started without it. */
export async function openCage(
  scratch: string,
  programs: readonly string[],
): Promise<CrashCage | { readonly problem: string }> {
  const path = process.env["PATH"] ?? "";
  const program = process.platform === "linux" ? findProgram("bwrap", path) : null;
  if (program === null)
    return {
      problem: `The crash test runs agents in a cage, and there is none here: it needs Linux with bubblewrap (${missing}).`,
    };
  const failures: string[] = [];
  for (const { flags, before, says } of isRoot() ? [arrangementOfRoot] : arrangements) {
    const cage: CrashCage = {
      says: `bubblewrap; network: loopback alone; writable: a throw-away folder alone; ${says}`,
      confine: (command, wish) => [program, ...argumentsOf(wish), ...flags, "--", ...before(wish.place), ...command],
    };
    const failure = await failureOf(cage, scratch, programs);
    if (failure === null) return cage;
    failures.push(failure);
  }
  return { problem: `The cage does not hold here, so no agent was started: ${failures.at(-1)}` };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function argumentsOf({ place, visible }: ConfineWish): string[] {
  const seen = visible.flatMap((file) => [file, ...realPaths(file)]);
  const closed = isRoot() ? closedAbove([...seen, place.root]) : [];
  const opened = closed.map((folder) => ["--tmpfs", folder].concat(shownIn(folder, seen)));
  return [
    "--ro-bind / / --dev /dev --tmpfs /dev/shm --tmpfs /run".split(" "),
    ["--bind", place.temporary, "/tmp"],
    shownIn("/tmp", seen),
    ...opened,
    ["--perms", "0755", "--dir", dirname(place.root)],
    ["--bind", place.root, place.root, "--chdir", place.project],
    "--unshare-pid --unshare-net --unshare-ipc --die-with-parent --new-session".split(" "),
  ].flat();
}

/** The entries of a folder that these files lie in, where another folder stands in its place. */
function shownIn(folder: string, files: readonly string[]): string[] {
  const below = files.filter((file) => file.startsWith(folder + sep));
  const tops = new Set(below.map((file) => join(folder, file.slice(folder.length + 1).split(sep)[0]!)));
  return [...tops].flatMap((top) => ["--ro-bind", top, top]);
}

/** Folders that nobody but their owner gets through: one gets an empty one there, with the way to these files alone. */
function closedAbove(files: readonly string[]): readonly string[] {
  const closed = files.flatMap((file) => {
    let found: string | null = null;
    for (let folder = dirname(file); folder !== "/"; folder = dirname(folder))
      if ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0o001) % 2 === 0) found = folder;
    return found === null ? [] : [found];
  });
  return [...new Set(closed)];
}

/** Tries to write outside, and looks which networks there are; null when all is well. */
async function failureOf(cage: CrashCage, scratch: string, programs: readonly string[]): Promise<string | null> {
  const outside = mkdtempSync(join(tmpdir(), "groundplan-crashtest-outside-"));
  const root = mkdtempSync(join(scratch, "cage-"));
  const place: CrashPlace = { root, home: root, project: root, elsewhere: root, temporary: join(root, "tmp") };
  mkdirSync(place.temporary);
  const folders = [outside, homedir(), process.cwd(), "/", "/etc", "/var/tmp"].filter(isTheirs);
  const script = `for each in ${shellWords([...folders, ...kernelFiles])}; do test -w "$each" && echo "writable: $each"; done
for each in ${shellWords(programs)}; do test -r "$each" || echo "not to be read in it: $each"; done
touch ${shellWords([join(outside, "written")])} 2>/dev/null
tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | grep -v '^lo$'
touch ${shellWords([join(root, "inside")])} && echo begun`;
  try {
    const said = await saidBy(cage.confine(["sh", "-c", script], { place, visible: programs }));
    if (readdirSync(outside).length > 0) return "a file was written outside of it.";
    if (!said.includes("begun\n")) return `it does not start (${said.trim().split("\n").at(-1)}).`;
    return said === "begun\n" ? null : `it is not as it should be (${said.split("\n")[0]}).`;
  } finally {
    rmSync(outside, { recursive: true, force: true });
    rmSync(root, { recursive: true, force: true });
  }
}

/** What the owner of the machine could set there. */
const kernelFiles = ["/proc/sys/kernel/core_pattern", "/proc/sys/vm/swappiness", "/proc/sysrq-trigger", "/dev/kmsg"];

/** Of temporary files the cage has its own: whether those are really others is seen by a file that is written. */
function isTheirs(folder: string): boolean {
  return folder !== "/tmp" && !folder.startsWith("/tmp/");
}

function shellWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

function saidBy([program = "", ...args]: readonly string[]): Promise<string> {
  return new Promise((settle) => {
    const environment = { PATH: process.env["PATH"] ?? "" };
    const child = launch({
      program,
      args,
      directory: "/",
      environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    if (child instanceof Error) return settle(child.message);
    let said = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
    child.stdout!.on("data", (bytes: Buffer) => (said += bytes.toString()));
    child.stderr!.on("data", (bytes: Buffer) => (said += bytes.toString()));
    child.on("close", () => {
      clearTimeout(timer);
      settle(said);
    });
  });
}
