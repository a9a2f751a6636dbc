/** The cage by Landlock and seccomp: no namespaces, nothing installed but a perl or a python3 that makes the system calls (B1.11). */
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { perlLauncher } from "./landlock-perl.ts";
import { pythonLauncher } from "./landlock-python.ts";
import { closedFolders, resolverFiles } from "./places.ts";
import { readablePaths } from "./readable.ts";
import { numbers } from "./seccomp-numbers.ts";
import { seccompProgram } from "./seccomp.ts";
import type { Cage, CageWish, LinuxMachine } from "./types.ts";

export interface LandlockMachine extends LinuxMachine {
  /** What `program` is. */
  readonly by: "perl" | "python3";
  /** What the running kernel's Landlock knows. */
  readonly abi: number;
}

/** How a script is run: nothing that the environment or a folder of the project names is loaded. */
export function scripted({ by, program }: Pick<LandlockMachine, "by" | "program">): readonly string[] {
  return [program, ...(by === "perl" ? ["-f", "-e"] : ["-I", "-S", "-E", "-c"])];
}

/** The script that prints the version of Landlock that the kernel has; below 1 where it has none. */
export const abiQuestion: Readonly<Record<LandlockMachine["by"], string>> = {
  perl: "print syscall(444, 0, 0, 1)",
  python3: "import ctypes; print(ctypes.CDLL(None).syscall(444, None, ctypes.c_long(0), ctypes.c_long(1)))",
};

export function landlockCage(machine: LandlockMachine): Cage {
  const { by, program } = machine;
  return {
    name: by === "perl" ? "landlock-perl" : "landlock-python",
    program,
    confine: (wish) => {
      if (wish.socket !== undefined) return { cannot: "Landlock cannot let a command reach one socket file alone" };
      const scratch = mkdtempSync(join(machine.scratch(), "c-"));
      const launcher = by === "perl" ? perlLauncher : pythonLauncher;
      return {
        argv: [...scripted(machine), launcher, ...wish.command],
        environment: withoutLanguage(wish.environment(scratch)),
        input: Buffer.from(planOf(machine, wish, scratch).join("\0")),
        ending: "asked",
        memory: [scratch, "/dev/shm"],
        release: () => rm(scratch, { recursive: true, force: true }),
      };
    },
  };
}

const right = { write: 1n << 1n, read: 1n << 2n, refer: 1n << 13n, truncate: 1n << 14n, device: 1n << 15n } as const;
/** Removing folders and files, making devices, folders, files, sockets, pipes, blocks and links. */
const making = 0x1ff0n;

/** All rights that this kernel's Landlock can refuse, without listing folders and starting programs (pure). */
export function handledRights(abi: number): bigint {
  return (
    right.write |
    right.read |
    making |
    (abi >= 2 ? right.refer : 0n) |
    (abi >= 3 ? right.truncate : 0n) |
    (abi >= 5 ? right.device : 0n)
  );
}

/** The kernel's `struct landlock_ruleset_attr`, as long as this version knows it (pure). */
export function rulesetAttribute(abi: number, network: CageWish["network"]): Buffer {
  const [bind, connect, abstractSockets, signals] = [1n, 2n, 1n, 2n];
  const words = [
    handledRights(abi),
    ...(abi >= 4 ? [network === "none" ? bind | connect : bind] : []),
    ...(abi >= 6 ? [abstractSockets | signals] : []),
  ];
  const bytes = Buffer.alloc(words.length * 8);
  words.forEach((word, index) => bytes.writeBigUInt64LE(word, index * 8));
  return bytes;
}

/** What a launcher reads from descriptor 3. */
function planOf(machine: LandlockMachine, wish: CageWish, scratch: string): string[] {
  const { processor, abi } = machine;
  const { prctl, capset, openat, close, setsid, pathOnly } = numbers[processor];
  const network = wish.network === "tcp";
  const landlock = { abi, network } as const;
  const metadata = wish.writable === undefined ? "refused" : "kept";
  const handled = handledRights(abi);
  const visible = [
    ...new Set([...machine.visible, wish.directory, ...wish.visible, ...(network ? resolverFiles : [])]),
  ];
  const closed = [...closedFolders(), ...machine.closed()].filter((folder) => !visible.includes(folder));
  const readable = readablePaths({
    closed: [...closed, "/dev"],
    visible: [...visible, ...plainDevices],
    hide: wish.hide.filter((path) => wish.writable === undefined || !path.startsWith(`${wish.writable}/`)),
  });
  const rules: (readonly [bigint, string])[] = [
    ...readable.map((path) => [right.read, path] as const),
    ...writableDevices.map((path) => [handled & (right.write | right.truncate | right.device), path] as const),
    [handled, scratch],
    ...(wish.writable === undefined ? [] : [[handled, wish.writable] as const, [handled, "/dev/shm"] as const]),
  ];
  return [
    ...[prctl, capset, openat, close, setsid, pathOnly].map(String),
    rulesetAttribute(abi, wish.network).toString("hex"),
    seccompProgram({ processor, unixSockets: false, metadata, landlock }).toString("hex"),
    wish.directory,
    ...rules.map(([rights, path]) => `${rights}:${path}`),
  ];
}

const writableDevices = ["/dev/null", "/dev/zero", "/dev/full"];
const plainDevices = [...writableDevices, "/dev/random", "/dev/urandom"];

function withoutLanguage(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(PERL|PYTHON(HOME|PATH|STARTUP))/.test(name)),
  );
}
