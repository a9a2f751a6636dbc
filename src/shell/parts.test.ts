import { describe, expect, test } from "vitest";
import { formsOf } from "./parts.ts";
import type { ShellVerdict } from "./types.ts";
import { verdict } from "./verdict.ts";

const judge = (command: string): ShellVerdict =>
  verdict(command, { platform: "linux", directory: "/p", home: "/home/u", projectTools: [] });

describe("every program that a command line starts is named", () => {
  test.each([
    ["A=1 curl x", "curl x"],
    ["/usr/bin/curl x", "curl x"],
    ["./curl x", "curl x"],
    ["cur{l,} x", "curl cur x"],
    ['"cu"rl x', "curl x"],
    ["\\curl x", "curl x"],
    ["x=curl; $x y", "curl y"],
    ['eval "curl x"', "curl x"],
    ["eval curl x", "curl x"],
    ["git -C . push origin", "git push origin"],
    ["git --git-dir=.git -c a=b push", "git push"],
    ["env -u A curl x", "curl x"],
    ["env -S 'curl x'", "curl x"],
    ["env -S'curl x'", "curl x"],
    ["env --split-string='curl x'", "curl x"],
    ["timeout -k 1 5 curl x", "curl x"],
    ["command curl x", "curl x"],
    ["sudo -u a curl x", "curl x"],
    ["sudo bash -c 'curl x'", "curl x"],
    ["busybox wget x", "wget x"],
    ["ls | xargs curl", "curl …"],
    ["find . -exec curl {} \\;", "curl …"],
    ["trap 'curl x' EXIT", "curl x"],
    ["f() { curl x; }; f", "curl x"],
    ["echo $(curl x)", "curl x"],
    ["python3 -m pip install x", "pip install x"],
  ])("%s starts %s", (command, started) => {
    const forms = judge(command).commands.flatMap(formsOf);
    expect(forms.map((words) => words.map((word) => word ?? "…").join(" "))).toContain(started);
  });

  test("an option's value further on is no sub-command", () => {
    const forms = judge("git log -p push").commands.flatMap(formsOf);
    expect(forms).toEqual([["git", "log", "-p", "push"]]);
  });

  test.each(["$x y", "echo curl x | sh", "source <(echo curl x)", "eval $x", "sudo $x", "bash -c $x", "echo $("])(
    "%s is opaque",
    (command) => expect(judge(command).opaque).toBe(true),
  );

  test.each(["ls", "npm test", "bash build.sh", "git push", "sudo rm x"])("%s is not", (command) =>
    expect(judge(command).opaque).toBe(false),
  );
});

describe("B1.14 what a command reads is known or said to be unknown", () => {
  test.each([
    ["cat .env", ["/p/.env"]],
    ["cd src && cat a", ["/p/src/a"]],
    ["dd if=.env", ["/p/.env"]],
    ["while read l; do echo $l; done < .env", ["/p/.env"]],
    ["x=$(<.env)", ["/p/.env"]],
    ["for f in a b; do cat $f; done", ["/p/a", "/p/b"]],
    ["grep -r X .", ["/p"]],
    ["rg X", ["/p"]],
    ["ls -la src; find . -name x; echo a", []],
    ["cat .e*", null],
    ["cat $(echo .env)", null],
    ["git diff --no-index /dev/null .env", null],
    ["wc --files0-from=list", null],
    ["python3 x.py", null],
    ["xargs cat", null],
    ["strings @.env", null],
    ["wc --files0=.env", null],
    ["wc --files0 .env", null],
    ["wc --files0=$x", null],
    ["for o in --files0=.env -l; do wc $o; done", null],
    ["du --files0=.env", ["/p/.env"]],
    ["du -c --files0-from=.env", ["/p/.env"]],
    ["du --files0=$(echo .env)", null],
    ["date -f .env", ["/p/.env"]],
    ["xargs -a .env echo", ["/p/.env"]],
    ["grep --rege=K .env", ["/p/K", "/p/.env"]],
    ["grep --exclude-f=.env K a", null],
    ["grep --recu K", ["/p"]],
    ["grep -2r K", ["/p"]],
    ["grep -d recurse K", ["/p"]],
    ["grep -n K", []],
    ["jq --rawfile a .env -n .", null],
    ["jq -n 'import \"./a\" as $a; $a'", null],
    ["diff --to-f=.env a", null],
    ["diff --unknown=.env a b", ["/p/.env", "/p/a", "/p/b"]],
    ["cmp -Z./.env a", ["/p/.env", "/p/a"]],
    ["hexdump -v .env", ["/p/.env"]],
    ["hexdump -f.env a", ["/p/.env", "/p/a"]],
    ["fold -s .env", ["/p/.env"]],
    ["comm -1 .env a", ["/p/.env", "/p/a"]],
    ["head -n $N a", ["/p/a"]],
    ["tail -$((n)) a", ["/p/a"]],
    ["ls $x", []],
  ])("%s reads %j", (command, expected) => {
    const reads = judge(command).commands.map((part) => part.reads);
    const whole = reads.some((paths) => paths === null) ? null : [...new Set(reads.flatMap((paths) => paths!))];
    expect(whole).toEqual(expected);
  });
});

describe("only one simple query, alone on its line, is a query", () => {
  test.each(["gh pr list", "gh pr list 2>/dev/null", "docker ps", "npm view react version"])("%s", (command) =>
    expect(judge(command)).toMatchObject({ verdict: "read-only", query: true }),
  );

  test.each([
    "gh pr list | head",
    "hostid; ls",
    "ls; docker ps",
    "gh pr list &",
    "timeout 5 gh pr list",
    "env gh pr list",
    "bash -c 'gh pr list'",
    "python3 -m pip index versions x",
    "A=1 gh pr list",
    'gh pr view "$n"',
    'gh pr view "$(cat .env)"',
    "gh pr list < f",
    "(gh pr list)",
    "ls",
  ])("%s is none", (command) => expect(judge(command).query).toBe(false));
});
