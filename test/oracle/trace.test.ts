import { describe, expect, test } from "vitest";
import { readTrace } from "./trace.ts";

const kinds = (command: string, ...lines: readonly string[]) =>
  readTrace(
    ['7 openat(AT_FDCWD</p>, "/groundplan-oracle/0", O_RDONLY) = -1 ENOENT (No such file)', ...lines].join("\n"),
    {
      foreign: ["/p"],
      commands: [command],
    },
  ).map(({ kind }) => kind);

describe("reading a trace", () => {
  test.each([
    '7 openat(AT_FDCWD</p>, "README.md", O_RDONLY) = 3</p/README.md>',
    '7 openat(AT_FDCWD</p>, "/dev/null", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</dev/null>',
    '7 openat(AT_FDCWD</p>, "/tmp/scratch/x", O_RDWR|O_CREAT|O_EXCL, 0600) = 3</tmp/scratch/x>',
    '7 unlink("/tmp/scratch/x") = 0',
    "7 ftruncate(3</tmp/scratch/x>, 4) = 0",
    '7 connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (No such file)',
    '7 execve("/usr/bin/ls", ["ls"], 0x7 /* 3 vars */) = 0',
    '7 execve("/p/bin/ls", ["ls"], 0x7 /* 3 vars */) = -1 ENOENT (No such file)',
  ])("nothing is found in: %s", (line) => {
    expect(kinds("ls", line)).toEqual([]);
  });

  test.each([
    ["write", '7 openat(AT_FDCWD</p>, "PWNED", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</p/PWNED>'],
    ["write", '7 openat(AT_FDCWD</p>, "/etc/hosts", O_WRONLY|O_APPEND) = -1 EROFS (Read-only file system)'],
    ["write", '7 openat(AT_FDCWD</p>, "/tmp/other", O_WRONLY|O_CREAT, 0666) = 3</tmp/other>'],
    ["write", '7 unlinkat(AT_FDCWD</p>, "x", 0) = 0'],
    ["write", '7 chmod("/p/x", 0777) = 0'],
    ["write", "7 ftruncate(3</p/x>, 4) = 0"],
    ["connection", "7 connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80)}, 16) = -1 ENETUNREACH (x)"],
    ["connection", '7 sendto(3<socket:[1]>, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53)}, 16) = 1'],
    ["program", '7 execve("/p/bin/ls", ["ls"], 0x7 /* 3 vars */) = 0'],
    ["program", '7 execve("/usr/bin/touch", ["touch", "x"], 0x7 /* 3 vars */) = 0'],
    ["signal", "7 kill(12, SIGTERM) = 0"],
  ])("a %s is found in: %s", (kind, line) => {
    expect(kinds("ls", line)).toEqual([kind]);
  });

  test("a call cut in two is put together again", () => {
    expect(
      kinds(
        "ls",
        '7 mkdir("/p/x", 0777 <unfinished ...>',
        '8 openat(AT_FDCWD</p>, "x", O_RDONLY) = 3</p/x>',
        "7 <... mkdir resumed>) = 0",
      ),
    ).toEqual(["write"]);
  });
});
