import { describe, expect, test } from "vitest";
import { verdict } from "./verdict.ts";

describe("B18.3 which parts need no rule", () => {
  test.each<[string, readonly string[], object?]>([
    ["npm test 2>&1 | tail -20", ["tail -20"]],
    ["cd x && npm test", ["cd x"], { places: ["/p/x"] }],
    ["cd /etc && npm test", ["cd /etc"], { places: ["/etc"] }],
    ["cd $x && npm test", []],
    ["npm test > out; cat out", ["cat out"], { redirected: ["npm test >out"] }],
    ["cat a > b; cat a", ["cat a"], { redirected: ["cat a >b"] }],
    ["echo $(rm x)", []],
    ["bash -c 'npm test'; ls", ["ls"]],
    ["echo a | xargs npm test", ["echo a"]],
    ["timeout 5 npm test", []],
    ["{ npm test; ls; } > out", [], { loose: true }],
    ["(( x = 1 )); npm test; ls", ["ls"]],
    ["f() { npm test; }; f; ls", ["ls"]],
    ["$x; ls", []],
    ["ls; eval $x", []],
    ["DATABASE_URL=x; npm test; ls", ["ls"]],
    ["MAKEFLAGS='x y'; npm test", []],
    ["read -r DATABASE_URL <<< x; npm test", []],
    ["printf -v DATABASE_URL x; npm test", []],
    ["declare DATABASE_URL=x; npm test", []],
    ["while read -r line; do npm test; done", ["read -r line"]],
    ["for f in a b; do npm test; done | wc -l", ["wc -l"]],
  ])("%s", (command, proved, more = {}) => {
    const judged = verdict(command, { platform: "linux", directory: "/p" });
    expect(judged).toMatchObject({ proved, ...more });
    expect(judged.parts).toEqual(expect.arrayContaining([...proved]));
  });
});
