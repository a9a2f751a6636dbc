import { describe, expect, test } from "vitest";
import { isProcessor, seccompProgram } from "./seccomp.ts";
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
    interpret(seccompProgram({ processor, unixSockets }), { nr, arch, args });

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
