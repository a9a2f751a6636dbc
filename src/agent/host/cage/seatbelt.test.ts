import { expect, test } from "vitest";
import { seatbeltArguments, seatbeltProfile } from "./seatbelt.ts";

test("B1.4 the profile denies by default and writes only to scratch", () => {
  const profile = seatbeltProfile({ scratch: '/private/var/a "b"', network: false });
  expect(profile).toMatch(/^\(version 1\)\n\(deny default\)\n/);
  expect(profile.split("\n").filter((line) => line.includes("file-write*"))).toEqual([
    '(allow file-write* (subpath "/private/var/a \\"b\\""))',
  ]);
  expect(profile).not.toContain("network");
});

test("B1.4 the profile has the network only when it is asked for", () => {
  expect(seatbeltProfile({ scratch: "/s", network: true })).toContain("(allow network-outbound (remote ip))");
});

test("the command follows the profile", () => {
  expect(seatbeltArguments({ scratch: "/s", network: false }, ["/bin/ls"]).slice(0, 2)).toEqual([
    "/usr/bin/sandbox-exec",
    "-p",
  ]);
});
