/** What another agent's command sees and cannot do in our cage, on every rung, and that exactly that command runs. */
import { createServer } from "node:net";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { packCaged } from "../../src/clients/caged/caged-text.ts";
import { linuxRungs, only } from "../edges/rungs.ts";
import { treeHashes } from "../headless/program.ts";
import { realFolder } from "../support/folder.ts";
import { needs } from "../support/needs.ts";
import { cagedStage } from "./caged.ts";

for (const rung of linuxRungs) {
  describe(`in the cage by ${rung}`, needs(rung), () => {
    test("B11.2 nothing is changed, and the words say who refused it", async () => {
      const { run, repository } = cagedStage();
      const before = treeHashes(repository);
      const tries = [
        'node -e \'fs.writeFileSync("new", "")\'',
        'python3 -c \'open("a.txt", "a").write("more")\'',
        "perl -e 'unlink \"a.txt\" or die $!'",
        "perl -e 'chmod 0777, \"a.txt\" or die $!'",
        'node -e \'fs.renameSync("a.txt", "b.txt")\'',
        'perl -e \'open(F, ">>", ".git/config") or die $!\'',
      ];
      for (const command of tries) {
        const ran = await run(command, only(rung));
        expect([command, ran.code === 0, ran.stderr.includes(`(${rung}) refused a change`)]).toEqual([
          command,
          false,
          true,
        ]);
      }
      expect(treeHashes(repository)).toEqual(before);
    });

    test("B11.2 it reads the project, and neither what deny rules refuse nor our home, tokens or the network", async () => {
      const { run, repository, home } = cagedStage({ "a.txt": "one\n", ".env": "hush-file\n" });
      writeFileSync(join(home, "settings.json"), JSON.stringify({ permissions: { deny: ["Read(.env)"] } }));
      writeFileSync(join(home, "planted"), "hush-home\n");
      mkdirSync(join(repository, "below"));
      const server = createServer(() => undefined).listen(0, "127.0.0.1");
      onTestFinished(() => void server.close());
      const contacts: unknown[] = [];
      server.on("connection", (socket) => contacts.push(socket.destroy()));
      await new Promise((settle) => server.once("listening", settle));
      const { port } = server.address() as { port: number };
      const script = `
        const read = (path) => { try { return fs.readFileSync(path, "utf8").trim() } catch { return "-" } };
        console.log([read("a.txt"), read(".e" + "nv"), read(${JSON.stringify(join(home, "planted"))}), process.env.GITHUB_TOKEN, read("/dev/stdin")]);
        require("net").connect(${port}, "127.0.0.1").on("connect", () => console.log("reached")).on("error", () => process.exit(5));
      `;
      const ran = await run(`node -e '${script}'`, { ...only(rung), GITHUB_TOKEN: "hush-token" });
      expect(ran).toEqual({ code: 5, stdout: "[ 'one', '-', '-', undefined, '' ]\n", stderr: ran.stderr });
      expect(ran.stderr).not.toContain("hush");
      expect(contacts).toEqual([]);
    });

    test.each([
      ["exit 0", 0],
      ["cat a.txt; exit 3", 3],
      ["node -e 'process.exit(255)'", 255],
      ["perl -e 'kill 9, $$'", 137],
      ["perl -e 'kill 15, $$'", 143],
      ["there-is-no-such-program", 127],
    ])("the exit code of `%s` is handed on", async (command, code) => {
      const { run } = cagedStage();
      expect((await run(command, only(rung))).code).toBe(code);
    });
  });
}

const printed: readonly (readonly [string, string])[] = [
  [`printf '%s|' 'a  b' "c'd" 'e"f' "g\\\\h" 'i\\j' "\\$k"`, `a  b|c'd|e"f|g\\h|i\\j|$k|`],
  ["printf '%s|' 'one\ntwo'\nprintf '%s|' three\n", "one\ntwo|three|"],
  ["printf '%s|' 'ü 漢 🙂 e\u0301'", "ü 漢 🙂 e\u0301|"],
  ['for each in 1 2; do node -p "$each * 2"; done', "2\n4\n"],
  ["cat <<'END'\n$HOME `id` \\\nEND\n", "$HOME `id` \\\n"],
  ['cat a.txt | tr a-z A-Z && echo "$(cat a.txt)!"', "ONE\none!\n"],
];

test.each(printed)("exactly the command runs: %j", needs("bubblewrap"), async (command, stdout) => {
  expect(await cagedStage().run(command)).toEqual({ code: 0, stdout, stderr: "" });
});

test("a command that is known to write is judged again, and does not run", needs("bubblewrap"), async () => {
  const { run, repository } = cagedStage();
  const before = treeHashes(repository);
  const ran = await run("cat a.txt; rm a.txt");
  expect(ran).toEqual({ code: 126, stdout: "", stderr: expect.stringContaining("rm") });
  expect(treeHashes(repository)).toEqual(before);
});

test("a deny rule on commands holds", needs("bubblewrap"), async () => {
  const { run, home } = cagedStage();
  writeFileSync(join(home, "settings.json"), JSON.stringify({ permissions: { deny: ["Bash(node:*)"] } }));
  const ran = await run("node -p 1");
  expect(ran).toEqual({ code: 126, stdout: "", stderr: expect.stringContaining("Bash(node:*)") });
});

test(
  "the rules of the agent's project hold where the command runs in another folder",
  needs("bubblewrap"),
  async () => {
    const { call, repository, home } = cagedStage({ secret: "hush\n" });
    writeFileSync(join(home, "settings.json"), JSON.stringify({ permissions: { deny: ["Read(secret)"] } }));
    const script = `try { console.log(fs.readFileSync(${JSON.stringify(join(repository, "secret"))}, "utf8")) } catch { console.log(process.cwd()) }`;
    const elsewhere = packCaged({ command: `node -e '${script}'`, directory: "/usr", project: repository });
    expect(await call([elsewhere])).toEqual({ code: 0, stdout: "/usr\n", stderr: "" });
  },
);

test("where no cage holds nothing runs, and the words say what to do", async () => {
  const { run, home } = cagedStage();
  const without = await run("cat a.txt", only(null));
  expect(without).toEqual({ code: 126, stdout: "", stderr: expect.stringContaining("GROUNDPLAN_WITHOUT_RUNGS") });
  expect(without.stderr).toContain("groundplan doctor");
  writeFileSync(join(home, "settings.json"), JSON.stringify({ sandbox: "off" }));
  const off = await run("cat a.txt");
  expect(off).toEqual({ code: 126, stdout: "", stderr: expect.stringContaining("switched off") });
});

test("settings that cannot be read refuse", async () => {
  const { run, home } = cagedStage();
  writeFileSync(join(home, "settings.json"), "{");
  expect(await run("cat a.txt")).toEqual({ code: 126, stdout: "", stderr: expect.stringContaining("settings") });
});

test("whatever was not written by us does not run", async () => {
  const { call, repository, home } = cagedStage();
  const whole = { command: "echo ran", directory: repository };
  const good = packed(whole);
  const forged: readonly (readonly string[])[] = [
    [],
    [""],
    ["--help"],
    ["echo ran"],
    [good, good],
    [`${good}=`],
    [` ${good}`],
    [
      Buffer.from(JSON.stringify({ ...whole, command: "echo ran ü>>?" }))
        .toString("base64")
        .padEnd(4, "="),
    ],
    [packed("echo ran")],
    [packed([whole])],
    [packed(null)],
    [packed({ ...whole, more: 1 })],
    [packed({ directory: repository, command: "echo ran" })],
    [packed(JSON.stringify(whole, null, 1))],
    [packed({ command: "echo ran" })],
    [packed({ ...whole, command: ["echo", "ran"] })],
    [packed({ ...whole, command: "" })],
    [packed({ ...whole, command: "echo ran\0" })],
    [packed({ ...whole, command: "echo ran \ud800" })],
    [packed({ ...whole, directory: "." })],
    [packed({ ...whole, directory: `${repository}/nothing` })],
    [packed({ ...whole, directory: `${repository}/a.txt` })],
    [packed({ ...whole, directory: home })],
    [packed({ ...whole, directory: "/tmp", project: repository })],
    [packed({ ...whole, command: `echo ran ${"x".repeat(80_000)}` })],
  ];
  for (const args of forged) {
    const ran = await call(args);
    expect([args, ran.code, ran.stdout, ran.stderr.startsWith("groundplan: ")]).toEqual([args, 126, "", true]);
  }
});

test("nothing is left among the temporary files", needs("bubblewrap"), async () => {
  const own = realFolder();
  const { run } = cagedStage();
  expect((await run("cat a.txt", { TMPDIR: own })).code).toBe(0);
  expect(treeHashes(own)).toEqual({});
  expect(statSync(own).nlink).toBe(2);
});

function packed(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
}
