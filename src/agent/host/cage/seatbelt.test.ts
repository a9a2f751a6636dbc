import { expect, test } from "vitest";
import { seatbeltArguments, seatbeltProfile } from "./seatbelt.ts";

const places = { scratch: "/s", network: false, socket: undefined, closed: [], visible: [], hide: [] };

test("B1.4 the profile denies by default and writes only to scratch", () => {
  const profile = seatbeltProfile({ ...places, scratch: '/private/var/a "b"' });
  expect(profile).toMatch(/^\(version 1\)\n\(deny default\)\n/);
  expect(profile.split("\n").filter((line) => line.includes("file-write*"))).toEqual([
    '(allow file-write* (subpath "/private/var/a \\"b\\""))',
  ]);
  expect(profile).not.toContain("network");
});

test("B1.4 the profile has the network only when it is asked for", () => {
  expect(seatbeltProfile({ ...places, network: true })).toContain("(allow network-outbound (remote ip))");
});

test("the command follows the profile", () => {
  expect(seatbeltArguments(places, ["/bin/ls"]).slice(0, 2)).toEqual(["/usr/bin/sandbox-exec", "-p"]);
});

test("B1.12 B1.14 the profile closes our own home but for the plans, and hides what a rule denies, last", () => {
  const profile = seatbeltProfile({ ...places, closed: ["/g"], visible: ["/g/plans", "/p"], hide: ["/p/.env"] });
  expect(profile.split("\n").filter((line) => line.includes("file-read*"))).toEqual([
    "(allow file-read*)",
    '(deny file-read* (subpath "/g"))',
    '(allow file-read* (subpath "/g/plans"))',
    '(deny file-read* (subpath "/p/.env"))',
  ]);
});
