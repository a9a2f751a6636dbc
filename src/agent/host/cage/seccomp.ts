/** The system-call filter of the cage, as the bytes of a classic BPF program (pure). */

export type Processor = "x64" | "arm64";

interface CallNumbers {
  readonly audit: number;
  readonly clone: number;
  readonly socket: number;
  readonly socketpair: number;
  readonly ioctl: number;
  /**
   * Refused with EPERM whatever the arguments, in this order: ptrace, process_vm_readv, process_vm_writev, kcmp; add_key,
   * request_key, keyctl; pivot_root, chroot, mount, umount2, swapon, swapoff, unshare, setns; acct, settimeofday, reboot,
   * sethostname, setdomainname, quotactl, clock_settime, clock_adjtime; (iopl, ioperm,) init_module, delete_module,
   * kexec_load, finit_module, kexec_file_load; vhangup, perf_event_open, open_by_handle_at, bpf, userfaultfd.
   */
  readonly refused: readonly number[];
}

/** The same numbers on both processors: mount calls of the new kind, pidfd_getfd, quotactl_fd. */
const refusedEverywhere = [428, 429, 430, 431, 432, 433, 438, 442, 443];
/** io_uring_setup, io_uring_enter, io_uring_register, clone3: answered as by a kernel without them, so that programs take the older way. */
const absent = [425, 426, 427, 435];

const numbers: Readonly<Record<Processor, CallNumbers>> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    refused: [
      101, 310, 311, 312, 248, 249, 250, 155, 161, 165, 166, 167, 168, 272, 308, 163, 164, 169, 170, 171, 179, 227, 305,
      172, 173, 175, 176, 246, 313, 320, 153, 298, 304, 321, 323,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    refused: [
      117, 270, 271, 272, 217, 218, 219, 41, 51, 40, 39, 224, 225, 97, 268, 89, 170, 142, 161, 162, 60, 112, 266, 105,
      106, 104, 273, 294, 58, 241, 265, 280, 282,
    ],
  },
};

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const jumpIfAnyBit = 0x45;
const andWith = 0x54;
const answer = 0x06;

const allowed = 0x7fff0000;
const killed = 0x80000000;
const refusedAs = (errno: number): number => 0x00050000 | errno;
const EPERM = 1;
const ENOSYS = 38;

const callNumber = 0;
const architecture = 4;
const argument = (index: number): number => 16 + 8 * index;

const AF_UNIX = 1;
const harmlessFamilies = [2, 10, 16]; // AF_INET, AF_INET6, AF_NETLINK: all three belong to the network namespace
const connectedPairs = [1, 5]; // SOCK_STREAM, SOCK_SEQPACKET: a datagram pair could be pointed at another socket
const newNamespaces = 0x7e020000; // CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET
const terminalInput = [0x5412, 0x541c]; // TIOCSTI, TIOCLINUX

/** One instruction; a jump goes `skip` instructions further when it holds, or when it does not. */
type Instruction = readonly [code: number, value: number, skipIfTrue?: number, skipIfFalse?: number];

/**
 * The filter for a processor. Without `unixSockets` no process in the cage reaches a daemon through a socket file;
 * calls of another ABI (32-bit, x32) end the process or fail.
 */
export function seccompProgram(request: { readonly processor: Processor; readonly unixSockets: boolean }): Buffer {
  const { audit, clone, socket, socketpair, ioctl, refused } = numbers[request.processor];
  const families = request.unixSockets ? [AF_UNIX, ...harmlessFamilies] : harmlessFamilies;
  const program: Instruction[] = [
    [load, architecture],
    [jumpIfEqual, audit, 1, 0],
    [answer, killed],
    [load, callNumber],
    [jumpIfAtLeast, 0x40000000, 0, 1],
    [answer, refusedAs(ENOSYS)],
    ...absent.flatMap((call) => whenCall(call, [[answer, refusedAs(ENOSYS)]])),
    ...[...refused, ...refusedEverywhere].flatMap((call) => whenCall(call, [[answer, refusedAs(EPERM)]])),
    ...whenCall(clone, [[load, argument(0)], [jumpIfAnyBit, newNamespaces, 0, 1], [answer, refusedAs(EPERM)], pass]),
    ...whenCall(ioctl, [
      [load, argument(1)],
      ...terminalInput.flatMap((code): Instruction[] => [
        [jumpIfEqual, code, 0, 1],
        [answer, refusedAs(EPERM)],
      ]),
      pass,
    ]),
    ...whenCall(socket, [[load, argument(0)], ...onlyOneOf(families)]),
    ...(request.unixSockets
      ? []
      : whenCall(socketpair, [[load, argument(1)], [andWith, 0xf], ...onlyOneOf(connectedPairs)])),
    pass,
  ];
  return encode(program);
}

export function isProcessor(name: string): name is Processor {
  return name === "x64" || name === "arm64";
}

const pass: Instruction = [answer, allowed];

function whenCall(call: number, body: readonly Instruction[]): Instruction[] {
  return [[jumpIfEqual, call, 0, body.length], ...body];
}

function onlyOneOf(values: readonly number[]): Instruction[] {
  return [...values.flatMap((value): Instruction[] => [[jumpIfEqual, value, 0, 1], pass]), [answer, refusedAs(EPERM)]];
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, value, skipIfTrue = 0, skipIfFalse = 0], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(skipIfTrue, index * 8 + 2);
    bytes.writeUInt8(skipIfFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  });
  return bytes;
}
