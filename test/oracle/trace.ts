/** Reads what strace saw: any write outside of /dev and scratch, any connection, any program that was not expected (pure). */

export interface Finding {
  /** Which command of the batch. */
  readonly index: number;
  readonly kind: "write" | "connection" | "program" | "signal";
  /** The line of the trace. */
  readonly line: string;
}

export interface TraceRules {
  /** Folders whose programs must never run: the project and its home. */
  readonly foreign: readonly string[];
  /** The commands of the batch, as they were run. */
  readonly commands: readonly string[];
}

/** The driver opens a file of this name that does not exist before each command. */
export const markerFolder = "/groundplan-oracle";

/** The calls that strace has to show. */
export const tracedCalls =
  "execve,execveat,open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat," +
  "chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,truncate,ftruncate,fallocate,utime,utimes,utimensat,futimesat,setxattr,lsetxattr," +
  "fsetxattr,removexattr,lremovexattr,fremovexattr,mknod,mknodat,mount,umount2,connect,bind,sendto,sendmsg,kill,tkill,tgkill," +
  "pidfd_send_signal,ptrace,reboot,sethostname,settimeofday,clock_settime,swapon,swapoff,init_module,finit_module,chroot,setpriority,ioprio_set";

/** Everything in a trace that a read-only command does not do. */
export function readTrace(trace: string, rules: TraceRules): Finding[] {
  const findings: Finding[] = [];
  const programs = new Map<string, string>();
  let index = -1;
  for (const line of joinUnfinished(trace)) {
    const match = /^(\d+)\s+(\w+)\((.*)$/.exec(line);
    if (match === null) continue;
    const [, pid = "", call = "", rest = ""] = match;
    const marker = rest.indexOf(`"${markerFolder}/`);
    if (marker !== -1) {
      index = Number.parseInt(rest.slice(marker + markerFolder.length + 2), 10);
      continue;
    }
    if (index < 0) continue;
    const succeeded = !/ = -1 E/.test(rest);
    if (call === "execve" && succeeded) programs.set(pid, pathIn(rest));
    const kind = kindOf(
      { call, rest, succeeded, program: programs.get(pid) ?? "" },
      rules,
      rules.commands[index] ?? "",
    );
    if (kind !== null) findings.push({ index, kind, line });
  }
  return findings;
}

interface Call {
  readonly call: string;
  readonly rest: string;
  readonly succeeded: boolean;
  /** What the process runs. */
  readonly program: string;
}

function kindOf({ call, rest, succeeded, program }: Call, rules: TraceRules, command: string): Finding["kind"] | null {
  if (call === "execve" || call === "execveat") {
    return succeeded && !isExpected(pathIn(rest), rules, command) ? "program" : null;
  }
  if (call.startsWith("open") || call === "creat") {
    return (call === "creat" || /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE/.test(rest)) &&
      !mayWrite(rest) &&
      !rest.includes("EISDIR")
      ? "write"
      : null;
  }
  if (call === "connect") return isHarmlessPeer(rest) ? null : "connection";
  if (call === "bind") return /AF_NETLINK|port=htons\(0\)/.test(rest) ? null : "connection";
  if (call === "sendto" || call === "sendmsg") {
    return /sa_family=AF_(INET|INET6|UNIX)/.test(rest) ? "connection" : null;
  }
  if (/^(kill|tkill|tgkill|pidfd_send_signal)$/.test(call)) {
    const own = /\/(timeout|bash|xargs|sh|dash|time)$/.test(program);
    return own || !succeeded || /, 0\)/.test(rest) || call === "tgkill" ? null : "signal";
  }
  if (/^(setpriority|ioprio_set)$/.test(call)) return null;
  return mayWrite(rest) ? null : "write";
}

const helpers = new Set(
  "bash sh dash timeout env git git-remote-https sed grep gzip awk mawk gawk cat less more groff troff grotty preconv tbl eqn nroff locale col man zsoelim manconv xz bzip2 uname tput stty python3 python3.11 python perl node java dpkg-query dpkg-deb apt-config date basename dirname tr head sort uname getopt expr diff cmp readlink ls egrep fgrep lz4 zstd tar which arch nproc tail wc cut id rm echo zdiff zgrep apropos pr ld-linux-x86-64.so.2 sleep dpkg gettext envsubst pyenv pyenv-exec pyenv-which realpath".split(
    " ",
  ),
);

/** A program on the system's paths that the command names, or one that such a program is known to use. */
function isExpected(path: string, { foreign }: TraceRules, command: string): boolean {
  if (foreign.some((folder) => path.startsWith(`${folder}/`)) || !path.startsWith("/")) return false;
  const name = path.split("/").at(-1)!;
  return (
    helpers.has(name) ||
    /^\/usr\/lib\/git-core\/|\/pyenv-[\w-]+$/.test(path) ||
    command
      .replaceAll(/["'\\]|\\\n/g, "")
      .replaceAll("\n", "")
      .includes(name)
  );
}

/** The places where anything may write: scratch, the standard streams, and what is not a file. */
function mayWrite(rest: string): boolean {
  const path = pathIn(rest);
  const folder = /^(?:AT_FDCWD|\d+)<([^>]*)>/.exec(rest)?.[1] ?? "";
  const whole = path.startsWith("/") ? path : `${folder}/${path}`;
  const descriptor = /^\d+<([^>]*)>/.exec(rest)?.[1];
  const place = path === "" && descriptor !== undefined ? descriptor : whole;
  return (
    /^\/tmp\/(scratch|hsperfdata_\w+)(\/|$)/.test(place) ||
    /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|fd\/\d+|pts\/.*|ptmx)$/.test(place) ||
    /^\/proc\/(self|\d+)\/(fd\/\d+|task\/.*\/comm|comm|coredump_filter)$/.test(place) ||
    /^(pipe|socket|anon_inode):/.test(place)
  );
}

function isHarmlessPeer(rest: string): boolean {
  return /sa_family=(AF_NETLINK|AF_UNSPEC)/.test(rest) || /nscd\/socket/.test(rest);
}

/** The first string among the arguments. */
function pathIn(rest: string): string {
  const text = /"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1] ?? "";
  return text.replaceAll(/\\(["\\])/g, "$1");
}

/** strace cuts a call in two when another process comes between; the first half has the arguments, the second the result. */
function joinUnfinished(trace: string): string[] {
  const waiting = new Map<string, string>();
  return trace.split("\n").flatMap((line) => {
    const unfinished = /^(\d+)\s+(\w+\(.*?)\s*<unfinished \.\.\.>$/.exec(line);
    if (unfinished !== null) {
      waiting.set(unfinished[1]!, unfinished[2]!);
      return [];
    }
    const resumed = /^(\d+)\s+<\.\.\. \w+ resumed>(.*)$/.exec(line);
    if (resumed === null) return [line];
    const first = waiting.get(resumed[1]!);
    waiting.delete(resumed[1]!);
    return first === undefined ? [] : [`${resumed[1]} ${first}${resumed[2]}`];
  });
}
