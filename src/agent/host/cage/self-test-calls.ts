/** System calls that a cage must refuse, tried with arguments that change nothing even where they are let through. */
import { scripted, type LandlockMachine } from "./landlock.ts";
import { numbers, type Processor } from "./seccomp-numbers.ts";

export interface RawCalls {
  readonly command: readonly string[];
  readonly names: readonly string[];
}

/** The attempts, for the program that makes them; `isAlone` where namespaces stand around the command. */
export function rawCalls(request: {
  readonly program: Pick<LandlockMachine, "by" | "program">;
  readonly processor: Processor;
  readonly isAlone: boolean;
  /** A process outside. */
  readonly pid: number;
}): RawCalls {
  const { program, processor, isAlone, pid } = request;
  const { ioctl, socket, openat, refused, sharedMemory, ofProcess, ofSecond, metadata } = numbers[processor];
  const at = (index: number): number => refused.at(index)!;
  const always: readonly (readonly [string, ...number[]])[] = [
    ["ptrace", at(0), 17, pid, 0, 0],
    ["process-vm-writev", at(2), pid, 0, 0, 0, 0, 0],
    ["keyctl", at(6), 0, -3, 0],
    ["mount-call", at(9), 0, 0, 0, 0, 0],
    ["unshare", at(13), 0x10000000],
    ["setns", at(14), -1, 0],
    ["perf-event-open", at(-4), 0, 0, -1, -1, 0],
    ["open-by-handle", at(-3), -1, 0, 0],
    ["bpf", at(-2), 0, 0, 0],
    ["userfaultfd", at(-1), 0],
    ["io-uring", 425, 0, 0],
    ["fsopen", 430, 0, 0],
    ["type-into-terminal", ioctl, 0, 0x5412, 0],
    ["socket-file", socket, 1, 1, 0],
    ["socket-datagram-file", socket, 1, 2, 0],
    ["socket-vsock", socket, 40, 1, 0],
    ["socket-packet", socket, 17, 3, 0],
  ];
  const inPlainSight: typeof always = [
    ["set-attribute", metadata.at(-6)!, 0, 0, 0, 0, 0],
    ["change-mode", processor === "x64" ? 91 : 52, -1, 0],
    ["change-owner", processor === "x64" ? 93 : 55, -1, -1, -1],
    ["change-times", processor === "x64" ? 280 : 88, -1, 0, 0, 0],
    ["inode-flags", ioctl, 0, 0x40086602, 0],
    ["shared-memory", sharedMemory[0]!, 0, 4096, 0],
    ["limits-of-others", ofProcess[0]!, pid, 0, 0, 0],
    ["priority-of-all", ofSecond[0]![0], 7, 0, 0],
    ["empty-by-neither", openat, -1, 0, 0x203, 0],
    ["socket-tcp", socket, 2, 1, 0],
    ["socket-udp", socket, 2, 2, 0],
    ["socket-netlink", socket, 16, 3, 15],
  ];
  const calls = isAlone ? always : [...always, ...inPlainSight];
  const words = calls.map((call) => call.join(":")).join(" ");
  return {
    command: [...scripted(program), program.by === "perl" ? inPerl : inPython, words],
    names: calls.map(([name]) => name),
  };
}

/** EPERM, EACCES and ENOSYS are refusals, and ENOTTY of a device's call; any other answer comes from behind the filter. */
const inPerl = String.raw`
for (split / /, $ARGV[0]) {
  my ($name, $number, @with) = split /:/;
  $_ += 0 for $number, @with;
  my $answer = syscall($number, @with);
  my $why = $! + 0;
  my $refused = $answer == -1 && ($why == 1 || $why == 13 || $why == 38 || ($name eq 'inode-flags' && $why == 25));
  print "$name ", $refused ? 'failed' : 'worked', "\n";
}
`;

const inPython = String.raw`
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
for call in sys.argv[1].split(" "):
    name, *words = call.split(":")
    answer = libc.syscall(*[ctypes.c_long(int(word)) for word in words])
    why = ctypes.get_errno()
    refused = answer == -1 and (why in (1, 13, 38) or (name == "inode-flags" and why == 25))
    print(name, "failed" if refused else "worked")
`;
