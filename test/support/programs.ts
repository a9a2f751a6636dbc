/** The programs that a machine may lack: whether each is here and works, and how to get it. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { patience } from "./until.ts";

export const chromiumProgram = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

const cage =
  "--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-net --ro-bind / / --proc /proc --dev /dev --tmpfs /dev/shm echo works".split(
    " ",
  );

const askLandlock =
  "import ctypes, sys; print('works'); sys.exit(ctypes.CDLL(None).syscall(444, None, ctypes.c_long(0), ctypes.c_long(1)) < 1)";

/** A user namespace in which an overlay can be mounted, by system calls as the cage makes them. */
const tryOverlay = `
print "works"; use POSIX; my ($u, $g) = ($< + 0, $( + 0); my $x = (POSIX::uname())[4] eq 'x86_64';
syscall($x ? 272 : 97, 0x10020000) == 0 or exit 1;
for (['setgroups', 'deny'], ['uid_map', "$u $u 1"], ['gid_map', "$g $g 1"]) {
  open(my $f, '>', "/proc/self/$$_[0]") or exit 1; syswrite $f, $$_[1]; close $f;
}
my ($t, $o, $p, $d) = ("tmpfs", "overlay", "/mnt", "lowerdir=/etc,upperdir=/mnt/u,workdir=/mnt/w,userxattr");
syscall($x ? 165 : 40, $t, $p, $t, 0, 0) == 0 or exit 1; mkdir "/mnt/$_" for 'u', 'w', 'm'; my $m = "/mnt/m";
exit(syscall($x ? 165 : 40, $o, $m, $o, 0, $d) != 0);
`;

interface Recipe {
  /** What must end well, and say something, where the program works: an empty file in its place does not. */
  readonly probe: readonly [program: string, ...args: string[]];
  /** The Debian package that has it. */
  readonly from: string;
}

const recipes = {
  bubblewrap: { probe: ["bwrap", ...cage], from: "bubblewrap" },
  "landlock-perl": {
    probe: ["/usr/bin/perl", "-e", 'print "works"; exit(syscall(444, 0, 0, 1) < 1)'],
    from: "perl-base",
  },
  "landlock-python": { probe: ["/usr/bin/python3", "-c", askLandlock], from: "python3" },
  overlay: { probe: ["/usr/bin/perl", "-e", tryOverlay], from: "perl-base" },
  chromium: { probe: [chromiumProgram, "--version"], from: "chromium" },
  "cjk font": { probe: ["fc-list", ":lang=zh", "family"], from: "fonts-wqy-microhei" },
  "nats-server": { probe: ["nats-server", "--version"], from: "nats-server" },
  openssl: { probe: ["openssl", "version"], from: "openssl" },
  ripgrep: { probe: ["rg", "--version"], from: "ripgrep" },
  script: { probe: ["script", "-qfec", "stty size", "/dev/null"], from: "bsdutils" },
  "ssh-keygen": {
    probe: ["sh", "-c", "ssh-keygen -q -t ed25519 -N '' -f \"$HOME/probe-key\" && echo works"],
    from: "openssh-client",
  },
  strace: { probe: ["strace", "-f", "-o", "/dev/null", "echo", "works"], from: "strace" },
  "strace in a cage": { probe: ["strace", "-f", "-o", "/dev/null", "bwrap", ...cage], from: "strace" },
  tmux: { probe: ["tmux", "-V"], from: "tmux" },
  fish: { probe: ["fish", "--version"], from: "fish" },
  zsh: { probe: ["zsh", "-fc", "autoload -U compinit && compinit -D && echo works"], from: "zsh" },
} satisfies Record<string, Recipe>;

export type Program = keyof typeof recipes;

declare module "vitest" {
  interface ProvidedContext {
    readonly missing: readonly Program[];
  }
  interface TaskMeta {
    missing?: readonly Program[];
  }
}

/** The programs that do not work here. */
export async function findMissing(): Promise<Program[]> {
  const home = mkdtempSync(join(tmpdir(), "groundplan-probe-"));
  const names = Object.keys(recipes) as Program[];
  const works = await Promise.all(names.map((name) => endsWell(recipes[name].probe, home)));
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  return names.filter((_, index) => !works[index]);
}

/** One line each for a person: how many tests did not run for want of what, and how to get it. */
export function notRunHere(counts: ReadonlyMap<Program, number>): string {
  const missing = [...counts].toSorted(([one], [other]) => one.localeCompare(other));
  const parts = missing.map(([name, count]) => `${count} ${count === 1 ? "test" : "tests"} with ${name}`);
  const packages = [...new Set(missing.map(([name]) => recipes[name].from))];
  return `not run here: ${parts.join(", ")} (get them with: apt-get install ${packages.join(" ")})`;
}

function endsWell([program, ...args]: readonly [string, ...string[]], home: string): Promise<boolean> {
  const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin`, HOME: home, TERM: "xterm" };
  return new Promise((settle) => {
    execFile(program, args, { env, timeout: patience }, (error, said) =>
      settle(error === null && said.trim() !== ""),
    ).stdin?.end();
  });
}
