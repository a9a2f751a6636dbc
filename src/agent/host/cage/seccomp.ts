/** The system-call filter of a cage, as the bytes of a classic BPF program (pure). */
import {
  absentEverywhere,
  metadataEverywhere,
  numbers,
  openat2,
  pidfdSendSignal,
  refusedEverywhere,
  type CallNumbers,
  type Processor,
} from "./seccomp-numbers.ts";

/** What the filter has to do beside what it always does. */
export interface FilterRequest {
  readonly processor: Processor;
  /** Whether a socket file may be reached at all. */
  readonly unixSockets: boolean;
  /** Owners, modes, times and attributes: kept where every mount but the command's own is read-only, and the devices are not its own. */
  readonly metadata: "refused" | "kept";
  /** Where no namespaces stand around the command: what Landlock of this kernel does not refuse is refused here. */
  readonly landlock?: {
    readonly abi: number;
    readonly network: boolean;
  };
}

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
const ENOTTY = 25;
const ENOSYS = 38;

const callNumber = 0;
const architecture = 4;
const argument = (index: number): number => 16 + 8 * index;

const AF_UNIX = 1;
const internet = [2, 10]; // AF_INET, AF_INET6
const AF_NETLINK = 16;
const connectedPairs = [1, 5]; // SOCK_STREAM, SOCK_SEQPACKET: a datagram pair could be pointed at another socket
const newNamespaces = 0x7e020000; // CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET
const terminalInput = [0x5412, 0x541c]; // TIOCSTI, TIOCLINUX
const socketOwner = [0x8901, 0x8902]; // FIOSETOWN, SIOCSPGRP: signals to another process
const harmlessDevices = [0x5400, 0x8900]; // terminals and sockets; all others could change a file that is open for reading
const descriptorOwner = [8, 15, 1024]; // F_SETOWN, F_SETOWN_EX, F_SETLEASE
const harmlessSignals = [0, 23]; // the question whether it runs, SIGURG (Go's scheduler)
const emptying = 0x200; // O_TRUNC
const accessMode = 3; // O_ACCMODE; as a mode of its own neither reading nor writing, which Landlock lets through

/** One instruction; a jump goes `skip` instructions further when it holds, or when it does not. */
type Instruction = readonly [code: number, value: number, skipIfTrue?: number, skipIfFalse?: number];

/**
 * The filter for a processor. Without `unixSockets` no process in the cage reaches a daemon through a socket file;
 * calls of another ABI (32-bit, x32) end the process or fail.
 */
export function seccompProgram({ processor, unixSockets, metadata, landlock }: FilterRequest): Buffer {
  const calls = numbers[processor];
  const touched = metadata === "kept" ? [] : [...calls.metadata, ...metadataEverywhere];
  const program: Instruction[] = [
    [load, architecture],
    [jumpIfEqual, calls.audit, 1, 0],
    [answer, killed],
    [load, callNumber],
    [jumpIfAtLeast, 0x40000000, 0, 1],
    [answer, refusedAs(ENOSYS)],
    ...absentEverywhere.flatMap((call) => whenCall(call, [[answer, refusedAs(ENOSYS)]])),
    ...[...calls.refused, ...refusedEverywhere, ...touched].flatMap((call) => whenCall(call, [refuse])),
    ...whenCall(calls.clone, [[load, argument(0)], [jumpIfAnyBit, newNamespaces, 0, 1], refuse, pass]),
    ...(unixSockets
      ? []
      : whenCall(calls.socketpair, [[load, argument(1)], [andWith, 0xf], ...onlyOneOf(connectedPairs)])),
    ...(landlock === undefined ? inNamespaces(calls, unixSockets) : inPlainSight(calls, { ...landlock, unixSockets })),
    pass,
  ];
  return encode(program);
}

export function isProcessor(name: string): name is Processor {
  return name === "x64" || name === "arm64";
}

/** Internet and netlink sockets belong to the network namespace. */
function inNamespaces(calls: CallNumbers, unixSockets: boolean): Instruction[] {
  const families = [...(unixSockets ? [AF_UNIX] : []), ...internet, AF_NETLINK];
  return [
    ...whenCall(calls.ioctl, [[load, argument(1)], ...noneOf(terminalInput), pass]),
    ...whenCall(calls.socket, [[load, argument(0)], ...onlyOneOf(families)]),
  ];
}

/** Beside other people's processes, on their mounts and in their network. */
function inPlainSight(
  calls: CallNumbers,
  { abi, network, unixSockets }: NonNullable<FilterRequest["landlock"]> & { unixSockets: boolean },
): Instruction[] {
  const families = [...(unixSockets ? [AF_UNIX] : []), ...(network ? internet : [])];
  return [
    ...calls.sharedMemory.flatMap((call) => whenCall(call, [refuse])),
    ...calls.ofProcess.flatMap((call) => whenCall(call, [[load, argument(0)], ...onlyOneOf([0])])),
    ...calls.ofSecond.flatMap(([call, oneProcess]) =>
      whenCall(call, [
        [load, argument(1)],
        [jumpIfEqual, 0, 1, 0],
        refuse,
        [load, argument(0)],
        ...onlyOneOf([oneProcess]),
      ]),
    ),
    ...whenCall(calls.fcntl, [[load, argument(1)], ...noneOf(descriptorOwner), pass]),
    ...whenCall(calls.ioctl, [
      [load, argument(1)],
      ...noneOf([...terminalInput, ...socketOwner]),
      [andWith, 0xffffff00],
      ...onlyOneOf(harmlessDevices, refusedAs(ENOTTY)),
    ]),
    ...whenCall(calls.socket, [
      [load, argument(0)],
      ...families.flatMap((family): Instruction[] => [[jumpIfEqual, family, 0, 1], pass]),
      [jumpIfEqual, AF_NETLINK, 1, 0],
      refuse,
      [load, argument(2)],
      ...onlyOneOf([0]),
    ]),
    ...calls.opening.flatMap(([call, flags]) =>
      whenCall(call, [
        [load, argument(flags)],
        [andWith, emptying | accessMode],
        ...noneOf([accessMode, emptying | accessMode, ...(abi < 3 ? [emptying] : [])]),
        pass,
      ]),
    ),
    ...(abi < 3 ? withoutTruncation(calls) : []),
    ...(abi < 6 ? withoutSignals(calls) : []),
  ];
}

/** Landlock before ABI 3 does not know that a file can be emptied without being written. */
function withoutTruncation({ truncate }: CallNumbers): Instruction[] {
  return [...whenCall(truncate, [refuse]), ...whenCall(openat2, [[answer, refusedAs(ENOSYS)]])];
}

/** Landlock before ABI 6 lets a command signal any process of the same person: only its own group stays. */
function withoutSignals({ kill, tgkill, signals }: CallNumbers): Instruction[] {
  return [
    ...[...signals, pidfdSendSignal].flatMap((call) => whenCall(call, [refuse])),
    ...whenCall(kill, [[load, argument(0)], ...onlyOneOf([0])]),
    ...whenCall(tgkill, [[load, argument(2)], ...onlyOneOf(harmlessSignals)]),
  ];
}

const pass: Instruction = [answer, allowed];
const refuse: Instruction = [answer, refusedAs(EPERM)];

function whenCall(call: number, body: readonly Instruction[]): Instruction[] {
  return [[jumpIfEqual, call, 0, body.length], ...body];
}

function onlyOneOf(values: readonly number[], otherwise: number = refusedAs(EPERM)): Instruction[] {
  return [...values.flatMap((value): Instruction[] => [[jumpIfEqual, value, 0, 1], pass]), [answer, otherwise]];
}

function noneOf(values: readonly number[]): Instruction[] {
  return values.flatMap((value): Instruction[] => [[jumpIfEqual, value, 0, 1], refuse]);
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, value, skipIfTrue = 0, skipIfFalse = 0], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(skipIfTrue, index * 8 + 2);
    bytes.writeUInt8(skipIfFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
