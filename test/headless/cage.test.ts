/** The whole program on every rung of the cage: what a model's commands see and cannot change. */
import { appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { linuxRungs, only } from "../edges/rungs.ts";
import { realFolder } from "../support/folder.ts";
import { needs } from "../support/needs.ts";
import { openStage, setStage, treeHashes } from "./program.ts";
import { writeProgram } from "../support/write-program.ts";

const settings = JSON.stringify({ permissions: { deny: ["Read(.env)"] } });

const commands = (home: string) => [
  'cat a.ts; python3 -c \'open("new", "w")\'; perl -e \'unlink "a.ts"\'; node -e \'fs.writeFileSync("b", "")\'',
  `cat ${home}/planted; node -p 'fs.readFileSync("${home}/planted", "utf8")'`,
  'node -p \'fs.readFileSync(".e" + "nv", "utf8")\'; cat .e*; grep -rh hush- .',
  "node -e 'fs.chmodSync(\"a.ts\", 0o777)'; perl -e 'utime 1, 1, \"a.ts\"'; node -e 'process.kill(process.ppid, 0)'",
];

for (const rung of linuxRungs) {
  describe(`with the cage by ${rung}`, needs(rung), () => {
    test("B1.4 B1.11 B1.12 B1.14 commands read the project alone, neither secrets nor our home, and change nothing", async () => {
      const stage = await setStage({
        script: (_, turn) =>
          turn === 1
            ? { calls: commands(stage.home).map((command) => ({ tool: "Bash", input: { command } })) }
            : { text: "Done." },
        files: { "a.ts": "export const a = 1;\n", ".env": "KEY=hush-file\n" },
      });
      try {
        mkdirSync(stage.home, { recursive: true });
        writeFileSync(join(stage.home, "planted"), "hush-home\n");
        const before = treeHashes(stage.repository);
        const run = await stage.run(
          ["-p", "look", "--permission-mode", "plan", "--output-format", "json", "--settings", settings],
          { environment: only(rung) },
        );
        expect(run.stdout).not.toContain("hush-");
        const said = stage.server.requests.map(({ body }) => JSON.stringify(body)).join("\n");
        expect(said).toContain("export const a = 1");
        expect(said.replaceAll("grep -rh hush- .", "")).not.toContain("hush-");
        expect(treeHashes(stage.repository)).toEqual(before);
      } finally {
        await stage.close();
      }
    });
  });
}

for (const rung of linuxRungs) {
  test(
    `B1.16 a project's check writes to a copy, in the cage by ${rung}, and the model is told`,
    needs(rung, "overlay"),
    async () => {
      const check =
        'require("fs").writeFileSync("snapshot.txt", "1"); console.log("kept", require("fs").readFileSync("snapshot.txt", "utf8"));';
      const stage = await setStage({
        script: (_, turn) =>
          turn === 1
            ? { calls: [{ tool: "Bash", input: { command: "node --test check.test.cjs" } }] }
            : { text: "Done." },
        files: { "check.test.cjs": check },
      });
      try {
        const before = treeHashes(stage.repository);
        await stage.run(["-p", "check", "--permission-mode", "plan"], { environment: only(rung) });
        expect(treeHashes(stage.repository)).toEqual(before);
        const said = stage.server.requests.map(({ body }) => JSON.stringify(body)).join("\n");
        expect(said).toContain("kept 1");
        expect(said).toMatch(/no file of the project changed: snapshot\.txt/);
      } finally {
        await stage.close();
      }
    },
  );
}

test("B1.11 doctor names the rung in use, and why a better one is not", async () => {
  const stage = await setStage({ script: () => ({ text: "-" }) });
  try {
    for (const rung of [...linuxRungs, null]) {
      const { stdout } = await stage.run(["doctor", "--json"], { environment: only(rung) });
      const { findings } = JSON.parse(stdout) as { findings: { name: string; ok: boolean; detail: string }[] };
      const sandbox = findings.find(({ name }) => name === "sandbox")!;
      if (rung === null) expect(sandbox).toMatchObject({ ok: false, detail: /GROUNDPLAN_WITHOUT_RUNGS/ });
      else if (sandbox.ok) expect(sandbox.detail).toContain(`${rung} (`);
    }
  } finally {
    await stage.close();
  }
});

test("B1.11 an empty file in bubblewrap's place is no cage: doctor says it is not installed, and the next rung is used", async () => {
  const stage = await setStage({ script: () => ({ text: "-" }) });
  try {
    const bin = realFolder("-bin");
    for (const name of ["bash", "cat", "git", "ls"]) {
      symlinkSync(["/usr/bin", "/bin"].map((place) => join(place, name)).find(existsSync)!, join(bin, name));
    }
    writeProgram(join(bin, "bwrap"), "");
    for (const without of ["", only(null).GROUNDPLAN_WITHOUT_RUNGS.replace("bubblewrap,", "")]) {
      const environment = { PATH: bin, GROUNDPLAN_WITHOUT_RUNGS: without };
      const { stdout } = await stage.run(["doctor"], { environment });
      expect(stdout).toMatch(/sandbox .*bubblewrap is not installed/);
      expect(stdout).not.toMatch(/user namespaces|bubblewrap \(/);
      if (without === "" && !needs("landlock-perl").skip) expect(stdout).toMatch(/^ok +sandbox +landlock-perl \(/m);
    }
  } finally {
    await stage.close();
  }
});

for (const rung of linuxRungs) {
  test(`B1.11 the result and what the cage refuses name the rung ${rung}`, needs(rung), async () => {
    const { result, said } = await wrote(only(rung));
    expect(result).toMatchObject({ sandbox: rung, denials: [] });
    expect(said).toContain(`The sandbox of plan mode (${rung}) refused a change`);
  });
}

test("B1.11 without a cage the result says so, and the denial why", async () => {
  const { result, said } = await wrote(only(null));
  expect(result).toMatchObject({ sandbox: "none", denials: [{ code: "plan-command-unproven" }] });
  expect(result.denials[0]?.reason).toContain("There is no sandbox here");
  expect(said).not.toContain("The sandbox of plan mode");
});

test("B1.11 nothing is tested for the sake of the result: without a command it names no rung", async () => {
  const stage = await setStage({ script: () => ({ text: "Hello." }) });
  try {
    const { stdout } = await stage.run(["-p", "say hi", "--output-format", "json"]);
    expect(JSON.parse(stdout)).not.toHaveProperty("sandbox");
    const off = await stage.run(["-p", "say hi", "--no-sandbox", "--output-format", "stream-json"]);
    expect(JSON.parse(off.stdout.trimEnd().split("\n").at(-1)!)).toMatchObject({ type: "result", sandbox: "none" });
  } finally {
    await stage.close();
  }
});

interface Wrote {
  readonly result: { readonly sandbox?: string; readonly denials: readonly { readonly reason: string }[] };
  /** What the model heard. */
  readonly said: string;
}

/** A run in plan mode whose one command tries to write. */
async function wrote(environment: Readonly<Record<string, string>>): Promise<Wrote> {
  const command = 'node -e \'fs.writeFileSync("new", "")\'';
  const stage = await setStage({
    script: (_, turn) => (turn === 1 ? { calls: [{ tool: "Bash", input: { command } }] } : { text: "Done." }),
  });
  try {
    const before = treeHashes(stage.repository);
    const args = ["-p", "look", "--permission-mode", "plan", "--output-format", "json"];
    const { stdout } = await stage.run(args, { environment });
    expect(treeHashes(stage.repository)).toEqual(before);
    return {
      result: JSON.parse(stdout),
      said: stage.server.requests.map(({ body }) => JSON.stringify(body)).join("\n"),
    };
  } finally {
    await stage.close();
  }
}

test("B1.5 without a cage links to themselves and to nowhere are no reason not to read a file", async () => {
  const stage = await openStage({
    script: (_, turn) =>
      turn === 1 ? { calls: [{ tool: "Bash", input: { command: "cat a.ts" } }] } : { text: "Done." },
  });
  for (const name of ["x.json", "y.json", "package.json", ".npmrc", "go.mod", ".cargo", "pkg", ".venv"])
    symlinkSync(name === "y.json" ? "nowhere" : name, join(stage.repository, name));
  symlinkSync("loop", join(stage.repository, ".git/loop"));
  appendFileSync(join(stage.repository, ".git/config"), "[include]\n\tpath = loop/x\n");
  await stage.run(["-p", "look", "--permission-mode", "plan"], { environment: only(null) });
  expect(JSON.stringify(stage.server.requests.at(-1)!.body)).toContain("export const a = 1");
});
