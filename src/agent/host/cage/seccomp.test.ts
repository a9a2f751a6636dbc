import { describe, expect, test } from "vitest";
import { isProcessor, seccompProgram } from "./seccomp.ts";
import { metadataEverywhere, numbers } from "./seccomp-numbers.ts";
import type { Processor } from "./seccomp-numbers.ts";

const allowed = 0x7fff0000;
const refused = 0x00050001;
const absent = 0x00050026;
const killed = 0x80000000;

const audit = { x64: 0xc000003e, arm64: 0xc00000b7 };
const call = {
  x64: {
    read: 0,
    socket: 41,
    socketpair: 53,
    clone: 56,
    ioctl: 16,
    ptrace: 101,
    mount: 165,
    unshare: 272,
    keyctl: 250,
  },
  arm64: {
    read: 63,
    socket: 198,
    socketpair: 199,
    clone: 220,
    ioctl: 29,
    ptrace: 117,
    mount: 40,
    unshare: 97,
    keyctl: 219,
  },
};

describe.each<Processor>(["x64", "arm64"])("the system-call filter on %s", (processor) => {
  const numbers = call[processor];
  const answer = (nr: number, args: readonly number[] = [], { unixSockets = false, arch = audit[processor] } = {}) =>
    interpret(seccompProgram({ processor, unixSockets, metadata: "kept" }), { nr, arch, args });

  test("lets ordinary calls through", () => {
    expect([answer(numbers.read), answer(numbers.clone, [0x1200011]), answer(numbers.ioctl, [0, 0x5401])]).toEqual([
      allowed,
      allowed,
      allowed,
    ]);
  });

  test("B1.4 refuses tracing, mounting, namespaces and keys", () => {
    const calls = [numbers.ptrace, numbers.mount, numbers.unshare, numbers.keyctl, 429, 438];
    expect(calls.map((nr) => answer(nr))).toEqual(calls.map(() => refused));
    expect(answer(numbers.clone, [0x10000000 | 17])).toBe(refused);
    expect(answer(numbers.ioctl, [0, 0x5412])).toBe(refused);
  });

  test("B1.4 refuses socket files and what is not in the network namespace, and keeps the others", () => {
    expect([1, 40, 31, 38, 17].map((family) => answer(numbers.socket, [family, 1]))).toEqual(Array(5).fill(refused));
    expect([2, 10, 16].map((family) => answer(numbers.socket, [family, 1]))).toEqual(Array(3).fill(allowed));
    expect(answer(numbers.socket, [1, 1], { unixSockets: true })).toBe(allowed);
  });

  test("B1.4 refuses pairs that could be pointed at another socket", () => {
    expect(answer(numbers.socketpair, [1, 0x80001])).toBe(allowed);
    expect(answer(numbers.socketpair, [1, 5])).toBe(allowed);
    expect(answer(numbers.socketpair, [1, 0x80002])).toBe(refused);
    expect(answer(numbers.socketpair, [1, 3])).toBe(refused);
  });

  test("says that io_uring and clone3 do not exist", () => {
    expect([425, 426, 427, 435].map((nr) => answer(nr))).toEqual(Array(4).fill(absent));
  });

  test("B1.4 refuses another ABI", () => {
    expect(answer(numbers.read, [], { arch: 0x40000003 })).toBe(killed);
    expect(answer(0x40000000 + numbers.socket, [1])).toBe(absent);
  });
});

describe.each<Processor>(["x64", "arm64"])("the system-call filter beside Landlock on %s", (processor) => {
  const calls = numbers[processor];
  const landlock = { abi: 7, network: false, metadata: "refused" as "refused" | "kept" };
  const answer = (nr: number, args: readonly number[] = [], more: Partial<typeof landlock> = {}) => {
    const { metadata, ...rest } = { ...landlock, ...more };
    const program = seccompProgram({ processor, unixSockets: false, metadata, landlock: rest });
    return interpret(program, { nr, arch: audit[processor], args });
  };

  const open = (family: number, protocol = 0, network = false) =>
    answer(calls.socket, [family, 1, protocol], { network });

  test("B1.11 refuses metadata, shared memory and what changes other processes", () => {
    const all = [...calls.metadata, ...metadataEverywhere, ...calls.sharedMemory];
    expect(all.map((nr) => answer(nr))).toEqual(all.map(() => refused));
    expect(calls.ofProcess.map((nr) => [answer(nr, [0]), answer(nr, [7])])).toEqual(
      calls.ofProcess.map(() => [allowed, refused]),
    );
    expect(calls.ofSecond.map(([nr, who]) => [answer(nr, [who, 0]), answer(nr, [who, 7])])).toEqual(
      calls.ofSecond.map(() => [allowed, refused]),
    );
    const [[priority], [inputOutput]] = calls.ofSecond as [[number, number], [number, number]];
    expect([1, 2].map((who) => answer(priority, [who, 0]))).toEqual([refused, refused]);
    expect([0, 2, 3].map((who) => answer(inputOutput, [who, 0]))).toEqual(Array(3).fill(refused));
  });

  test("B1.16 keeps metadata where everything but a copy is read-only", () => {
    expect(calls.metadata.map((nr) => answer(nr, [], { metadata: "kept" }))).toEqual(calls.metadata.map(() => allowed));
  });

  test("B1.11 lets no socket through but the question for routes, and the internet where it is asked for", () => {
    expect([1, 2, 10, 17, 40].map((family) => open(family))).toEqual(Array(5).fill(refused));
    expect([open(16, 0), open(16, 15), open(2, 0, true), open(10, 0, true), open(1, 0, true)]).toEqual([
      allowed,
      refused,
      allowed,
      allowed,
      refused,
    ]);
  });

  test("B1.11 lets devices be asked about terminals and sockets alone", () => {
    const notTerminal = 0x00050019;
    const control = (code: number) => answer(calls.ioctl, [0, code]);
    expect([0x5401, 0x5413, 0x541b, 0x8912].map(control)).toEqual(Array(4).fill(allowed));
    expect([0x5412, 0x541c, 0x8901].map(control)).toEqual(Array(3).fill(refused));
    expect([0x40086602, 0x401c5820, 0x50009417, 0x40806685, 0x1277].map(control)).toEqual(Array(5).fill(notTerminal));
    expect([answer(calls.fcntl, [0, 8]), answer(calls.fcntl, [0, 1024]), answer(calls.fcntl, [0, 3])]).toEqual([
      refused,
      refused,
      allowed,
    ]);
  });

  test("B1.11 refuses what an older Landlock does not know: emptying a file that is open for reading", () => {
    for (const [call, at] of calls.opening) {
      const flags = (value: number) => [...Array<number>(at).fill(0), value];
      expect([answer(call, flags(0x200), { abi: 2 }), answer(call, flags(0x201), { abi: 2 })]).toEqual([
        refused,
        allowed,
      ]);
      expect(answer(call, flags(0x200))).toBe(allowed);
    }
    expect([answer(calls.truncate, [], { abi: 2 }), answer(calls.truncate)]).toEqual([refused, allowed]);
    expect([answer(437, [], { abi: 2 }), answer(437)]).toEqual([absent, allowed]);
  });

  test("B1.11 refuses to open a file for neither reading nor writing, which would empty it unseen", () => {
    for (const [call, at] of calls.opening) {
      const flags = (value: number) => [...Array<number>(at).fill(0), value];
      for (const abi of [1, 2, 3, 7]) {
        expect([0x203, 0x80203, 3].map((value) => answer(call, flags(value), { abi }))).toEqual(Array(3).fill(refused));
        expect([0, 1, 2, 0x241, 0x242].map((value) => answer(call, flags(value), { abi }))).toEqual(
          Array(5).fill(allowed),
        );
      }
    }
  });

  test("B1.11 refuses what an older Landlock does not know: signals to others", () => {
    const old = { abi: 5 };
    expect([answer(calls.kill, [7, 15], old), answer(calls.kill, [0xffffffff, 9], old)]).toEqual([refused, refused]);
    expect([answer(calls.kill, [0, 15], old), answer(calls.kill, [7, 0], old), answer(calls.kill, [7, 15])]).toEqual([
      allowed,
      refused,
      allowed,
    ]);
    expect([answer(calls.tgkill, [7, 7, 9], old), answer(calls.tgkill, [7, 7, 23], old)]).toEqual([refused, allowed]);
    expect([...calls.signals, 424].map((nr) => answer(nr, [], old))).toEqual(Array(4).fill(refused));
  });
});

test("a processor without a filter is known as such", () => {
  expect([isProcessor("x64"), isProcessor("arm64"), isProcessor("riscv64")]).toEqual([true, true, false]);
});

/** Runs the program the way the kernel does, for the few instructions that it has. */
function interpret(program: Buffer, { nr, arch, args }: { nr: number; arch: number; args: readonly number[] }): number {
  const words = new Map([[0, nr], [4, arch], ...args.map((value, index) => [16 + 8 * index, value] as const)]);
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(at * 8);
    const [whenTrue, whenFalse] = [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)];
    const value = program.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = (words.get(value) ?? 0) >>> 0;
    if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    if (code === 0x15) at += accumulator === value ? whenTrue : whenFalse;
    if (code === 0x35) at += accumulator >= value ? whenTrue : whenFalse;
    if (code === 0x45) at += (accumulator & value) !== 0 ? whenTrue : whenFalse;
  }
  throw new Error("the program has no end");
}
