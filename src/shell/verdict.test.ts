import { describe, expect, test } from "vitest";
import type { ShellSituation, ShellVerdict } from "./types.ts";
import { verdict } from "./verdict.ts";

const situation: ShellSituation = { platform: "linux", directory: "/p", home: "/home/u", projectTools: [] };

function judge(command: string, changes: Partial<ShellSituation> = {}): ShellVerdict {
  return verdict(command, { ...situation, ...changes });
}

describe("B1.3 the three answers", () => {
  test.each([
    ["ls -la", "read-only", "every part of it only reads", null],
    ["ls; rm x", "writes", "rm changes files", "rm x"],
    ["ls > out", "writes", '> writes to "out"', "> out"],
    ["ls | frobnicate", "unproven", "frobnicate is not known to only read", "frobnicate"],
    ["frobnicate; rm x", "writes", "rm changes files", "rm x"],
    ["git log --output=x", "writes", 'git log --output writes to "x"', "--output=x"],
    ["sort --frob f", "unproven", "sort: the option --frob is not known to only read", "--frob"],
    ['find . -name "*.ts" -delete', "writes", "find -delete changes files", "-delete"],
    ["echo $(touch x)", "writes", "touch changes files", "touch x"],
    ["bash -c 'ls; touch x'", "writes", "touch changes files", "'ls; touch x'"],
  ])("%s is %s", (command, judgement, reason, part) => {
    const answer = judge(command);
    const shown = answer.span === null ? null : command.slice(...answer.span);
    expect([answer.verdict, answer.reason, shown]).toEqual([judgement, reason, part]);
  });
});

describe("B1.3 what cannot be read is unproven at once", () => {
  test.each([
    ["1 MB of text", "echo a ".repeat(150_000)],
    ["10,000 parentheses", "(".repeat(10_000)],
    ["10,000 substitutions", `echo ${"$(".repeat(10_000)}`],
    ["closed deep nesting", `${"( ".repeat(250)}ls${" )".repeat(250)}`],
    ["many braces", "{a,".repeat(20_000)],
    ["many alternatives", `echo ${"{a,b}".repeat(100)}`],
    ["a NUL byte", "ls \0"],
    ["a carriage return", "ls\r\ntouch x"],
    ["an escape sequence", "ls \u001b[8m"],
    ["a bidirectional override", "ls \u202e"],
    ["a zero-width space", "git\u200b status"],
    ["a no-break space", "ls\u00a0-la"],
    ["a lone surrogate", "ls \ud800"],
    ["a replacement character", "ls \ufffd"],
    ["a tag character", "ls \u{e0041}"],
    ["an open quote", 'echo "a'],
    ["an open substitution", "echo $(ls"],
    ["an open here-document", "cat <<EOF\nx"],
    ["an error in a nested script", 'echo "$(if)"'],
    ["nothing", ""],
    ["only a comment", "# ls"],
  ])("%s", (_, command) => {
    expect(judge(command).verdict).toBe("unproven");
  });

  test("an emoji and other letters are no obstacle", () => {
    expect(judge("echo '✔️ größer 日本語 🎉'").verdict).toBe("read-only");
  });
});

describe("what is run is what was analysed", () => {
  test.each([
    [`ls   -la\t"a b"`, "ls -la 'a b'"],
    ["'ls' \\-l $'a\\tb'", "ls -l 'a\tb'"],
    [`echo "it's $x" 'a'"b"c`, `echo "it's $x" abc`],
    ["echo $x'y' ${x}y $x.z", "echo ${x}y ${x}y ${x}.z"],
    ["cat <<'EOF' | head -1\n$x\nEOF", "cat <<'EOF' | head -1\n$x\nEOF\n"],
    ['for f in *.ts; do\n wc -l "$f"\ndone', 'for f in *.ts; do wc -l "$f"; done'],
    [
      "if [ -f a ]; then cat a; elif true; then ls; else pwd; fi",
      "if '[' -f a ']'; then cat a; elif true; then ls; else pwd; fi",
    ],
    ["cat < <(ls)", "cat < <(ls)"],
    ["echo `git rev-parse HEAD`", "echo $(git rev-parse HEAD)"],
    ['echo "$(<f)"', 'echo "$( <f)"'],
    ["ls 2>&1 >/dev/null &", "ls 2>&1 >/dev/null &"],
    ["case $x in a|b*) ls;; esac", "case $x in (a | b*) ls ;; esac"],
    ["[[ $x =~ ^a.*$ && -f b ]]", "[[ $x =~ ^a.*$ && -f b ]]"],
    ["ls ~/a ~", "ls ~/a ~"],
    ["f() { ls; }; f", "f() { ls; }; f"],
    ["(( i = 1 + 2 ))", "(( i = 1 + 2 ))"],
    ["LC_ALL=C sort f", "LC_ALL=C sort f"],
    ["\\if", "'if'"],
    ["declare -A m=([a]=1 [b]='2'); echo ${m[a]}", null],
    ["declare -A m=([a]=1 [b]=2); echo ${m[a]}", "declare -A m=([a]=1 [b]=2); echo ${m[a]}"],
    ["echo $(( - -1 + 2 * (3) ))", "echo $((- -1 + 2 * (3)))"],
    ["echo $(( $(ls | wc -l) + 1 ))", "echo $(($(ls | wc -l) + 1))"],
  ])("%s becomes %s", (command, canonical) => {
    expect(judge(command).canonical).toBe(canonical);
  });

  test("what cannot be parsed has no canonical form", () => {
    expect(judge("echo $(").canonical).toBeNull();
  });
});

describe("R17.1 every simple command is a part", () => {
  test.each([
    ["npm run build && git status", ["npm run build", "git status"]],
    ["echo $(rm x) | cat", ["echo $(rm x)", "rm x", "cat"]],
    ["timeout 5 npm test", ["timeout 5 npm test", "npm test"]],
    ["find . -exec rm {} \\;", ["find . -exec rm '{}' ';'", "rm …"]],
    ["bash -c 'npm test; ls'", ["bash -c 'npm test; ls'", "npm test", "ls"]],
    ["for f in a; do rm $f; done", ["rm $f"]],
  ])("%s", (command, parts) => {
    expect(judge(command).parts).toEqual(parts);
  });
});

describe("the literal paths that are read", () => {
  test.each([
    ["cat .env", ["/p/.env"]],
    ["cd src && head -5 ../.env a", ["/p/.env", "/p/src/a"]],
    ["grep .env README.md", ["/p/README.md"]],
    ["grep -e x .env", ["/p/.env"]],
    ["wc -l < .env", ["/p/.env"]],
    ["cat ~/.ssh/id_rsa", ["/home/u/.ssh/id_rsa"]],
    ["f=.env; cat $f", ["/p/.env"]],
    ["sed -n 1p .env", ["/p/.env"]],
    ["awk '{print}' .env", ["/p/.env"]],
    ["jq . a.json b.json", ["/p/a.json", "/p/b.json"]],
    ["cd /x; cat a", ["/p/a", "/x/a"]],
    ["sort {a,b}.txt", ["/p/a.txt", "/p/b.txt"]],
    ["timeout 5 cat .env", ["/p/.env"]],
    ["bash -c 'cat .env'", ["/p/.env"]],
    ["echo .env", []],
  ])("%s", (command, reads) => {
    expect(judge(command).reads.toSorted()).toEqual(reads);
  });
});

describe("plain edits of literal paths", () => {
  test.each([
    ["mkdir -p a/b && touch a/b/c", ["/p/a/b", "/p/a/b/c"]],
    ["mv a /q/b", ["/p/a", "/q/b"]],
    ["ls && rm -rf a", ["/p/a"]],
    ["cd src && cp x y", ["/p/src/x", "/p/src/y"]],
    ["sed -i s/a/b/ x y", ["/p/x", "/p/y"]],
    ["sed -Ei 's/a/b/g' src/x && touch y", ["/p/src/x", "/p/y"]],
    ["sed -i -e s/a/b/ -e s/c/d/ x", ["/p/x"]],
    ["sed -i.bak s/a/b/ x", null],
    ["sed -ie s/a/b/ x", null],
    ["sed -i 's/a/b/e' x", null],
    ["sed -i 's/a/b/w out' x", null],
    ["sed -i s/a/b/ *.ts", null],
    ["sed -i -f script x", null],
    ["rm a; npm test", null],
    ["rm $x", null],
    ["rm *.ts", null],
    ["rm a > log", null],
    ["cd $x && rm a", null],
    ["ls | xargs rm", null],
    ["find . -exec rm {} \\;", null],
    ["ls", null],
    ["chmod +x a", null],
  ])("%s", (command, edits) => {
    expect(judge(command).edits).toEqual(edits);
  });
});

describe("B1.4 reading queries of services", () => {
  test.each([
    ["gh pr view 1", true],
    ["kubectl get pods", true],
    ["docker ps | head", true],
    ["npm view react version", true],
    ["npm ls", false],
    ["git log", false],
    ["ls", false],
  ])("%s needs the network: %s", (command, network) => {
    expect(judge(command)).toMatchObject({ verdict: "read-only", network });
  });

  test.each(["gh api https://example.com/x", "kubectl get -f https://example.com/x", "curl https://example.com"])(
    "%s has an address and is not one of them",
    (command) => expect(judge(command).verdict).toBe("unproven"),
  );
});

describe("B1.5 git runs where its configuration is known", () => {
  test.each([
    ["git status", ["/p"]],
    ["cd src && git log", ["/p/src"]],
    ["cd src; git log", ["/p", "/p/src"]],
    ["git -C ../q log", ["/q"]],
    ['cd "$(git rev-parse --show-toplevel)" && git log', ["/p"]],
    ["git -C a -C .. log", ["/p/a/.."]],
    ["git -C .. log", ["/"]],
    ["git -C link/../x log", ["/p/link/../x"]],
    ["cd link && git -C .. log", ["/p/link/.."]],
    ["git --git-dir=n/.git --work-tree=n diff", ["/p/n/.git"]],
    ["cd a && cd - && git log", ["/p"]],
    ["nice cd a && git log", ["/p"]],
  ])("%s", (command, gitDirectories) => {
    expect(judge(command)).toMatchObject({ verdict: "read-only", gitDirectories });
  });

  test.each(['cd "$x" && git log', "git -C $x log", "cd - && git status; cd $(cat f); git log"])(
    "%s is in a directory that is not known",
    (command) => expect(judge(command).verdict).toBe("unproven"),
  );

  test("a program that could not be neutralised makes git unproven", () => {
    expect(judge("git status", { gitPrograms: ["filter.x.clean"] })).toMatchObject({
      verdict: "unproven",
      reason: "git may run filter.x.clean of this repository",
    });
  });
});

describe("B1.5 tools that the project can steer", () => {
  const commands = [
    "cargo --version",
    "rustup show",
    "go version",
    "yarn --version",
    "pnpm ls",
    "bundle list",
    "mvn -v",
  ];

  test.each(commands)("%s is proved where there is no such configuration", (command) => {
    expect(judge(command, { projectTools: [] }).verdict).toBe("read-only");
  });

  test.each(commands)("%s is unproven where nobody looked", (command) => {
    const { projectTools: _, ...unseen } = situation;
    expect(verdict(command, unseen).verdict).toBe("unproven");
  });

  test.each(commands)("%s is unproven where the project has it, and proved in the cage", (command) => {
    const projectTools = ["cargo", "rustup", "go", "yarn", "pnpm", "ruby", "maven"] as const;
    expect(judge(command, { projectTools }).verdict).toBe("unproven");
    expect(judge(command, { projectTools, caged: true }).verdict).toBe("read-only");
  });

  test("elsewhere than in the project nobody looked", () => {
    expect(judge("cd /q && cargo --version").verdict).toBe("unproven");
  });

  test.each([
    ["cd a && cargo --version", undefined, "unproven"],
    ["cd a && cargo --version", [], "read-only"],
    ["cd a && cargo --version", ["/p/b"], "read-only"],
    ["cd a/c && cargo --version", ["/p/a"], "unproven"],
    ["cd A && cargo --version", ["/p/a"], "unproven"],
    ["cd ab && cargo --version", ["/p/a"], "read-only"],
    ['cd "$x" && cargo --version', [], "unproven"],
  ])("B1.3 %s, with %j not looked into, is %s", (command, projectUnseen, expected) => {
    expect(judge(command, projectUnseen === undefined ? {} : { projectUnseen }).verdict).toBe(expected);
  });
});

describe("what leaves traces at home is proved only in the cage", () => {
  test.each(["top -b -n 1", "lslogins", "sqlite3 -readonly x.db 'select 1'", "gradle --version"])("%s", (command) => {
    expect([judge(command).verdict, judge(command, { caged: true }).verdict]).toEqual(["unproven", "read-only"]);
  });
});

test("on macOS an option after the first operand of uniq is its output", () => {
  const platforms = ["linux", "darwin"] as const;
  expect(platforms.map((platform) => judge("uniq a -c", { platform }).verdict)).toEqual(["read-only", "writes"]);
});

describe("B1.3 checks of the project are unproven, never said to write", () => {
  const checks =
    "npm test|npm t|npm run lint|npm start|npm exec tsc|npx tsc|yarn test|yarn run lint|pnpm test|pnpm run lint|pnpm exec tsc|bun test|bun run x|deno test|go test ./...|go build ./...|go vet ./...|go run .|cargo check|cargo test|cargo build|cargo clippy|cargo fmt --check|cargo bench|cargo run|cargo doc|make|make test|gmake|ninja|just test|task test|rake test|bundle exec rspec|composer run-script test|mvn test|gradle test|./gradlew test|pytest|python3 -m pytest|tsc|tsc --noEmit|tsc -b|eslint .|vitest run|jest|ruff check .|mypy .|dotnet test|bash build.sh|./run.sh".split(
      "|",
    );

  test.each(checks)("%s", (command) => {
    expect(judge(command).verdict).toBe("unproven");
    expect(judge(command, { caged: true }).verdict).toBe("unproven");
  });

  test.each(["npm install", "npm publish", "cargo publish", "go generate", "cargo fmt", "go get x"])(
    "%s changes things and is said to",
    (command) => expect(judge(command).verdict).toBe("writes"),
  );
});
