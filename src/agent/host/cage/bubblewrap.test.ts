import { describe, expect, test } from "vitest";
import { cageArguments, cageIdentity, scratchInCage, socketPath } from "./bubblewrap.ts";

const places = {
  program: "/usr/bin/bwrap",
  uid: 1000,
  gid: 1000,
  closed: ["/run", "/tmp"],
  hide: [] as { path: string; isFolder: boolean }[],
  blank: "/blank",
  visible: ["/home/ada/proj"],
};
const caged = { directory: "/home/ada/proj", network: false, filterDescriptor: 3, command: ["/bin/bash", "-c", "ls"] };
const text = (more: Partial<typeof places> = {}, command: Partial<typeof caged> = {}) =>
  cageArguments({ ...places, ...more }, { ...caged, ...command }).join(" ");

describe("the cage's arguments", () => {
  test("B1.4 are these", () => {
    expect(text()).toBe(
      "/usr/bin/bwrap --unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try --unshare-net " +
        "--uid 1000 --gid 1000 --cap-drop ALL --new-session --die-with-parent --ro-bind / / --proc /proc --dev /dev " +
        "--tmpfs /dev/shm --tmpfs /run --tmpfs /tmp --remount-ro /proc --remount-ro /dev --remount-ro /run " +
        "--chdir /home/ada/proj --seccomp 3 -- /bin/bash -c ls",
    );
  });

  test("B1.4 keep the network only when it is asked for", () => {
    expect(text({}, { network: true })).not.toContain("--unshare-net");
  });

  test("B1.4 show a project read-only where its surroundings are hidden, outer folders first", () => {
    expect(text({ visible: ["/tmp/a/b", "/tmp/a", "/run/media/disk"] })).toContain(
      "--tmpfs /tmp --ro-bind-try /tmp/a /tmp/a --ro-bind-try /tmp/a/b /tmp/a/b --ro-bind-try /run/media/disk /run/media/disk",
    );
  });

  test("B1.4 do not hide a folder that is itself the project", () => {
    expect(text({ visible: ["/tmp"] })).not.toContain("--tmpfs /tmp");
    expect(scratchInCage({ ...places, visible: ["/tmp"] })).toBe("/dev/shm");
    expect(scratchInCage(places)).toBe("/tmp");
  });

  test("B1.14 put a blank over what is hidden, after what is visible, and an empty folder that nobody may list", () => {
    const hide = [
      { path: "/home/ada/proj/.env", isFolder: false },
      { path: "/home/ada/proj/secrets", isFolder: true },
      { path: "/tmp/other/.env", isFolder: false },
    ];
    expect(text({ hide })).toContain(
      "--tmpfs /tmp --ro-bind /blank /home/ada/proj/.env --perms 0000 --tmpfs /home/ada/proj/secrets " +
        "--remount-ro /proc --remount-ro /dev --remount-ro /run --remount-ro /home/ada/proj/secrets --chdir",
    );
    expect(text({ hide, visible: ["/tmp/other"] })).toContain("--ro-bind /blank /tmp/other/.env");
  });

  test("B1.12 empty our own home but for the plans in it", () => {
    const more = { closed: ["/run", "/tmp", "/home/ada/.groundplan"], visible: ["/home/ada/.groundplan/plans"] };
    expect(text(more)).toContain(
      "--tmpfs /home/ada/.groundplan --ro-bind-try /home/ada/.groundplan/plans /home/ada/.groundplan/plans",
    );
  });

  test("B1.4 never make the command root", () => {
    expect(cageIdentity({ uid: 0, gid: 0 })).toEqual({ uid: 65_534, gid: 65_534 });
    expect(cageIdentity({ uid: 501, gid: 20 })).toEqual({ uid: 501, gid: 20 });
  });
});

test.each([
  ["ffff9d1c40a3b000: 00000002 00000000 00010000 0001 01 23456 /run/a.sock", "/run/a.sock"],
  ["ffff9d1c40a3b000: 00000002 00000000 00010000 0001 01    12 /run/a b/c  d", "/run/a b/c  d"],
  ["ffff9d1c40a3b000: 00000002 00000000 00010000 0001 01 23456 @abstract /x", ""],
  ["ffff9d1c40a3b000: 00000003 00000000 00000000 0001 03 23456", ""],
  ["Num       RefCount Protocol Flags    Type St Inode Path", ""],
])("B1.13 the socket of %j is %j", (line, path) => expect(socketPath(line)).toBe(path));
