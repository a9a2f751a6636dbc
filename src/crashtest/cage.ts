/** The cage of the crash test: an agent may write to its own place alone, and reaches nothing but this machine's loopback, in a network of its own. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, sep } from "node:path";
import { launch } from "../agent/host/launch/launch.ts";
import { findProgram } from "../agent/host/launch/find-program.ts";
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
  /** Folders that get one of the place's own instead. */
  readonly insteadOf: readonly string[];
}

/** How processes and rights are arranged; the first lets cages of the agent's own be made inside. */
const arrangements = [
  {
    flags: ["--cap-add", "ALL"],
    before: [
      "sh",
      "-c",
      'mount -t proc proc /proc && exec setpriv --bounding-set=-all,+setfcap --inh-caps=-all,+setfcap "$@"',
      "sh",
    ],
    says: "agents may build cages of their own inside",
  },
  { flags: ["--proc", "/proc", "--cap-drop", "ALL"], before: [], says: "no cage of an agent's own starts inside" },
] as const;

const missing = "install it: `apt install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap`";

/** Proves itself first: nothing is started without it. */
export async function openCage(scratch: string): Promise<CrashCage | { readonly problem: string }> {
  const path = process.env["PATH"] ?? "";
  const program = process.platform === "linux" ? findProgram("bwrap", path) : null;
  if (program === null)
    return {
      problem: `The crash test runs agents in a cage, and there is none here: it needs Linux with bubblewrap (${missing}).`,
    };
  const failures: string[] = [];
  for (const arrangement of arrangements) {
    const cage: CrashCage = {
      says: `bubblewrap; network: loopback alone; writable: a throw-away folder alone; ${arrangement.says}`,
      confine: (command, wish) => [
        program,
        ...argumentsOf(wish),
        ...arrangement.flags,
        "--",
        ...arrangement.before,
        ...command,
      ],
    };
    const failure = await failureOf(cage, scratch);
    if (failure === null) return cage;
    failures.push(failure);
  }
  return { problem: `The cage does not hold here, so no agent was started: ${failures.at(-1)}` };
}

function argumentsOf({ place, visible, insteadOf }: ConfineWish): string[] {
  const bound = insteadOf.flatMap((folder) => {
    const own = join(place.root, "instead", folder);
    mkdirSync(own, { recursive: true, mode: 0o700 });
    return ["--bind", own, folder];
  });
  return [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--tmpfs",
    "/dev/shm",
    "--tmpfs",
    "/run",
    "--bind",
    place.temporary,
    "/tmp",
    ...topsBelow("/tmp", visible).flatMap((top) => ["--ro-bind", top, top]),
    "--bind",
    place.root,
    place.root,
    ...bound,
    "--chdir",
    place.project,
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--die-with-parent",
    "--new-session",
    ...(process.getuid?.() === 0 ? [] : ["--unshare-user"]),
  ];
}

/** The entries of a folder that these files lie in. */
function topsBelow(folder: string, files: readonly string[]): string[] {
  const all = files.flatMap((file) => [file, realOf(file)]).filter((file) => file.startsWith(folder + sep));
  return [...new Set(all.map((file) => join(folder, file.slice(folder.length + 1).split(sep)[0]!)))];
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Tries to write outside, and looks which networks there are; null when all is well. */
async function failureOf(cage: CrashCage, scratch: string): Promise<string | null> {
  const outside = mkdtempSync(join(tmpdir(), "groundplan-crashtest-outside-"));
  const root = mkdtempSync(join(scratch, "cage-"));
  const place: CrashPlace = { root, home: root, project: root, elsewhere: root, temporary: join(root, "tmp") };
  mkdirSync(place.temporary);
  const folders = [outside, homedir(), process.cwd(), "/", "/etc", "/var/tmp"];
  const script = `for folder in "$@"; do test -w "$folder" && echo "writable: $folder"; done
touch '${outside}/written' 2>/dev/null
tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | grep -v '^lo$'
touch inside && echo begun`;
  try {
    const argv = cage.confine(["sh", "-c", script, "sh", ...folders], { place, visible: [], insteadOf: [] });
    const said = await saidBy(argv);
    if (readdirSync(outside).length > 0) return "a file was written outside of it.";
    if (!said.includes("begun\n")) return `it does not start (${said.trim().split("\n").at(-1)}).`;
    return said === "begun\n" ? null : `it is not tight (${said.split("\n")[0]}).`;
  } finally {
    rmSync(outside, { recursive: true, force: true });
    rmSync(root, { recursive: true, force: true });
  }
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
