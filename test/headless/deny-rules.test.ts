/** Deny rules through the whole program: however a command spells what it reads or runs, the rule holds (B1.14). */
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { ScriptedCall, ScriptedTurn } from "../../src/testing/loopback.ts";
import { setStage, type Stage } from "./program.ts";
import { needs } from "../support/needs.ts";
import { startsCurl } from "../support/starters.ts";
import { writeProgram } from "../support/write-program.ts";

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

const secret = "TOP-SECRET-7261";
const files = {
  "a.ts": "export const a = 1;\n",
  ".env": `KEY=${secret}\n`,
  "conf/deep.pem": `${secret}\n`,
  "src/b.ts": "export const b = 2;\n",
};

interface Heard {
  readonly said: string;
  readonly denials: readonly string[];
}

/** Makes the calls in one turn, and tells what the model heard. `.env` is committed as well. */
async function hear(calls: readonly ScriptedCall[], args: readonly string[], prepare = plant): Promise<Heard> {
  const stage = await setStage({
    script: (_, turn): ScriptedTurn => (turn === 1 ? { calls: [...calls] } : { text: "Done." }),
    files,
  });
  stages.push(stage);
  prepare(stage);
  const environment = { PATH: `${join(dirname(stage.repository), "bin")}:${process.env["PATH"]}` };
  const ran = await stage.run(["-p", "look", "--output-format", "json", ...args], { environment });
  const result = JSON.parse(ran.stdout) as { denials: { tool: string; code: string }[] };
  const said = JSON.stringify(stage.server.requests.map(({ body }) => body));
  return { said, denials: result.denials.map(({ code }) => code) };
}

function plant({ repository }: Stage): void {
  linkSync(join(repository, ".env"), join(repository, "second.txt"));
  symlinkSync(".env", join(repository, "soft.txt"));
}

const bash = (command: string): ScriptedCall => ({ tool: "Bash", input: { command } });
const rules = (permissions: object): string =>
  JSON.stringify({ permissions, autoMode: { enabled: true }, planNetwork: "readers" });
const noEnv = rules({ deny: ["Read(.env)", "Read(conf/**)"], allow: ["Read", "Bash"] });

const reads = [
  "cat .env",
  "cat ./.env",
  "cat .e*",
  "cat $(echo .env)",
  "cat < .env",
  "head -5 soft.txt",
  "cat second.txt",
  "grep -r KEY .",
  "grep -rh SECRET conf",
  "dd if=.env",
  "git diff --no-index /dev/null .env",
  "git show HEAD:.env",
  "git cat-file -p HEAD:./.env",
  "git log -p -- .env",
  "f=.env; cat $f",
  'for f in .e*; do cat "$f"; done',
  "find . -name '.e*' -exec cat {} +",
  "ls -a | grep env | xargs cat",
  "cat conf/deep.pem",
  "cat conf/*",
  "sed -n p .env",
  "awk 1 .env",
  "bash -c 'cat .env'",
  "eval 'cat .env'",
  "tar cf - . | strings",
  "python3 -c \"print(open('.env').read())\"",
  "perl -pe 1 .env",
  "cat second.txt second.txt",
  "cp .env copy.txt && cat copy.txt",
  "ln .env third.txt && cat third.txt",
  "source ./.env; echo $KEY",
  "while read line; do echo $line; done < .env",
  "strings @.env",
  "strings -a @./.env",
  "strings -w .env",
  "wc --files0=.env",
  "wc --files0=$(echo .env)",
  "du --files0=.env",
  "du -c --files0-from=.env",
  "grep --fil=.env -v nothing .env",
  "grep --rege=KEY .env",
  "grep --recurs KEY",
  "grep -1r KEY",
  "jq -nr --rawfile a .env '$a'",
  "diff --to-f=.env a.ts",
  "hexdump -v -e '16/1 \"%c\"' .env",
  "hd -v .env",
  "fold -s .env",
  "comm -1 .env a.ts",
];

describe.each(["plan", "default", "acceptEdits", "auto"])("in %s mode", (mode) => {
  test.each([[], ["--no-sandbox"]])(
    "B1.14 nothing of what Read rules refuse reaches the model through the shell %j",
    async (...more) => {
      const calls = reads.map(bash);
      const { said } = await hear(calls, ["--settings", noEnv, "--permission-mode", mode, ...more]);
      expect(said).not.toContain(secret);
    },
  );
});

test("B1.14 nor through Read, Grep and Glob by links and second names, nor by AGENTS.md", async () => {
  const calls: ScriptedCall[] = [
    ...[".env", "./x/../.env", "soft.txt", "second.txt", "conf/deep.pem"].map((file_path) => ({
      tool: "Read",
      input: { file_path },
    })),
    { tool: "Grep", input: { pattern: "SECRET", output_mode: "content" } },
    { tool: "Grep", input: { pattern: "SECRET", path: "second.txt", output_mode: "content" } },
    { tool: "Grep", input: { pattern: "SECRET", path: "conf", output_mode: "content" } },
  ];
  const { said, denials } = await hear(calls, ["--settings", noEnv], (stage) => {
    plant(stage);
    linkSync(join(stage.repository, ".env"), join(stage.repository, "AGENTS.md"));
  });
  expect(said).not.toContain(secret);
  expect(denials).toEqual(["rule", "rule", "rule", "rule", "rule", "rule", "rule"]);
});

test("B1.14 a rule in composed letters holds for a name in decomposed ones, in every tool", async () => {
  const name = "gehäim.txt";
  const settings = rules({ deny: [`Read(${name.normalize("NFC")})`], allow: ["Bash"] });
  const decomposed = name.normalize("NFD");
  const calls = [
    { tool: "Read", input: { file_path: decomposed } },
    { tool: "Grep", input: { pattern: "SECRET", output_mode: "content" } },
    bash(`cat ${decomposed}`),
    bash("cat geh*"),
    bash("grep -rh SECRET ."),
  ];
  const { said } = await hear(calls, ["--settings", settings, "--permission-mode", "plan"], ({ repository }) => {
    writeFileSync(join(repository, decomposed), `${secret}\n`);
    for (const other of ["conf/deep.pem", ".env"]) writeFileSync(join(repository, other), "nothing\n");
  });
  expect(said).not.toContain(secret);
});

test("B1.14 what a Read rule does not refuse is read as before", needs("bubblewrap"), async () => {
  const calls = [bash("cat a.ts"), bash("grep -rn 'export const' src"), bash("ls -a"), bash("git status --short")];
  const { said, denials } = await hear(calls, ["--settings", noEnv, "--permission-mode", "plan"]);
  expect(denials).toEqual([]);
  expect(said).toContain("export const a");
  expect(said).toContain("export const b");
});

const runs = [
  "curl x",
  "A=1 curl x",
  "/usr/bin/curl x",
  "./curl x",
  "cur{l,} x",
  "'cu'rl x",
  "\\curl x",
  "x=curl; $x y",
  'eval "curl x"',
  "env curl x",
  "timeout 5 curl x",
  "nice -n 5 curl x",
  "echo x | xargs curl",
  "find . -exec curl {} \\;",
  'bash -c "curl x"',
  "echo $(curl x)",
  "$(echo curl) x",
  "echo curl x | sh",
  "git -C . push",
  "git -c a.b=c push origin main",
  "git --git-dir=.git push",
  "git $(echo push)",
];

test.each(["plan", "default", "acceptEdits", "auto", "bypass"])(
  "B1.14 rules on Bash hold for every spelling of the program in %s mode, whatever is allowed",
  async (mode) => {
    const settings = rules({
      deny: ["Bash(curl:*)", "Bash(git push:*)"],
      allow: ["Bash", "Bash(git:*)", "Bash(env:*)"],
    });
    const how = mode === "bypass" ? ["--dangerously-skip-permissions"] : ["--permission-mode", mode];
    const { denials } = await hear(runs.map(bash), ["--settings", settings, ...how]);
    const expected =
      mode === "plan" ? denials.filter((code) => code === "rule" || code.startsWith("plan-")) : runs.map(() => "rule");
    expect(denials).toEqual(expected);
    expect(denials).toHaveLength(runs.length);
  },
);

/** Those that would do nothing beside curl, were they let through. */
const harmful =
  /^(at|batch|crontab|systemd-run|nsenter|unshare|docker|kubectl|apt-get|vim|ex|emacs|tmux|screen|ssh|scp|sftp|make|go|cargo|gradle|gcc|cmake|mysql|psql|openssl|npm|npx|pnpm|yarn|uv|poetry|bundle|rsync|nc|ncat|socat|wget|man|watch|git (rebase|filter-branch|send-email|config|clone|fetch|push)|find|fd|while|select|expect|gdb|strace|valgrind|script|setpriv|capsh)\b|curl u &|rm |CURL/;
const started = startsCurl.filter((command) => !harmful.test(command));

test.each(["plan", "default", "acceptEdits", "auto", "bypass"])(
  "B1.14 a rule that forbids a program holds for whatever starts it, in %s mode, with Bash allowed",
  async (mode) => {
    const settings = rules({ deny: ["Bash(curl:*)"], allow: ["Bash", "Bash(ls:*)"] });
    const how = mode === "bypass" ? ["--dangerously-skip-permissions"] : ["--permission-mode", mode];
    const { denials } = await hear(started.map(bash), ["--settings", settings, ...how], plantCurl);
    const { repository } = stages.at(-1)!;
    expect(existsSync(join(repository, "curl-ran"))).toBe(false);
    if (mode !== "plan") expect(denials).toHaveLength(started.length);
  },
);

/** A program of that name, found before any other. */
function plantCurl({ repository }: Stage): void {
  const folder = join(dirname(repository), "bin");
  mkdirSync(folder);
  writeProgram(join(folder, "curl"), `#!/bin/sh\necho ran > '${repository}/curl-ran'\n`);
  writeFileSync(join(repository, "f"), "curl u\n");
}

test("B1.14 with a program forbidden, everyday commands are not asked about, and code is where no rule names it", async () => {
  const settings = rules({ deny: ["Bash(curl:*)"], allow: ["Bash"] });
  const plain = [
    "touch x",
    "mkdir -p d && cp a.ts d/",
    "sed -i 's/a/curl/' a.ts",
    "rm x",
    "git add -A",
    "echo curl > n",
  ];
  expect((await hear(plain.map(bash), ["--settings", settings])).denials).toEqual([]);
  const code = "node -e 'console.log(1 + 1, process.argv)'";
  expect((await hear([bash(code)], ["--settings", settings])).denials).toEqual(["nobody"]);
  const named = rules({ deny: ["Bash(curl:*)"], allow: ["Bash(node -e:*)"] });
  expect((await hear([bash(code)], ["--settings", named])).denials).toEqual([]);
  expect((await hear([bash(code)], ["--settings", rules({ allow: ["Bash"] })])).denials).toEqual([]);
});

test("B1.14 an allow rule does not cover a spelling that it does not name", async () => {
  const settings = JSON.stringify({ permissions: { allow: ["Bash(touch:*)"] } });
  const calls = ["/usr/bin/touch x", "A=1 touch x", "env touch x", "$(echo touch) x", "bash -c 'touch x'"].map(bash);
  const { denials } = await hear(calls, ["--settings", settings]);
  expect(denials).toHaveLength(calls.length);
});

test("R17.1 in acceptEdits mode a copy does not go through a planted link into git's own folder", async () => {
  const calls = [
    "cp evil/config d/",
    "cp evil/config d/config",
    "cp -r evil/hooks d",
    "cp -r evil/. d",
    "cp -r evil/.// d",
    "mv evil/config d",
    "mv d e && cp evil/config e/config",
    "cp -r d e; cp evil/config e",
    "for i in 1 2; do cp evil/config e/config; mv d e; done",
    "mv d e; touch e/../x",
  ];
  let config = "";
  const { denials } = await hear(calls.map(bash), ["--permission-mode", "acceptEdits"], ({ repository }) => {
    mkdirSync(join(repository, "evil/hooks"), { recursive: true });
    mkdirSync(join(repository, "d"));
    writeFileSync(join(repository, "evil/config"), "[core]\n\tfsmonitor = touch pwned\n");
    writeFileSync(join(repository, "evil/hooks/pre-commit"), "#!/bin/sh\ntouch pwned\n");
    symlinkSync("../.git/config", join(repository, "d/config"));
    symlinkSync("../.git/hooks", join(repository, "d/hooks"));
    config = readFileSync(join(repository, ".git/config"), "utf8");
  });
  const { repository } = stages.at(-1)!;
  expect(denials).toEqual(calls.map(() => "nobody"));
  expect(readFileSync(join(repository, ".git/config"), "utf8")).toBe(config);
  expect(existsSync(join(repository, ".git/hooks/pre-commit"))).toBe(false);
});

test("R17.1 in acceptEdits mode places are judged again when a command starts, after those before it in the reply", async () => {
  const calls = ["mv d e", "cp evil/config e/config", "mkdir n && cp a.ts n/b.ts && rm a.ts"];
  let config = "";
  const heard = await hear(calls.map(bash), ["--permission-mode", "acceptEdits"], ({ repository }) => {
    mkdirSync(join(repository, "evil"));
    mkdirSync(join(repository, "d"));
    writeFileSync(join(repository, "evil/config"), "[core]\n\tfsmonitor = touch pwned\n");
    symlinkSync("../.git/config", join(repository, "d/config"));
    config = readFileSync(join(repository, ".git/config"), "utf8");
  });
  const { repository } = stages.at(-1)!;
  expect(heard.denials).toEqual([]);
  expect(heard.said.match(/would do something else now/g)).toHaveLength(1);
  expect(readFileSync(join(repository, ".git/config"), "utf8")).toBe(config);
  expect([existsSync(join(repository, "e")), existsSync(join(repository, "n/b.ts"))]).toEqual([true, true]);
});

test("B1.14 outside of the cage a command whose reads are not known is asked about, unless a rule names it", async () => {
  const command = "node -p '1 + 1'";
  const args = ["--no-sandbox", "--settings"];
  const asked = await hear([bash(command)], [...args, noEnv]);
  expect(asked.denials).toEqual(["nobody"]);
  const named = rules({ deny: ["Read(.env)"], allow: ["Bash(node -p:*)"] });
  expect((await hear([bash(command)], [...args, named])).denials).toEqual([]);
  const harmless = rules({ deny: ["Read(not-there.txt)"], allow: ["Bash"] });
  expect((await hear([bash(command)], [...args, harmless])).denials).toEqual([]);
});
