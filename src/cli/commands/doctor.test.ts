import { tmpdir } from "node:os";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { asText, doctor, examine } from "./doctor.ts";

const ask = async (...args: readonly string[]) => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await doctor(args, { stdin: new PassThrough(), stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
};

describe("groundplan doctor", () => {
  test("B1.4 says for each thing whether it is there", async () => {
    const { code, stdout } = await ask();
    expect(code).toBe(0);
    for (const name of ["sandbox", "search", "git", "editor", "browser", "node", "ANTHROPIC_API_KEY"]) {
      expect(stdout).toMatch(new RegExp(`^(ok     |missing)  ${name} `, "m"));
    }
  });

  test("says the same as JSON", async () => {
    const { code, stdout } = await ask("--json");
    const { findings }: { findings: { name: string }[] } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(findings.map(({ name }) => name)).toContain("sandbox");
  });

  test("refuses what it does not know", async () => {
    expect(await ask("--all")).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("'--all'") });
  });

  test("names keys and never shows one", async () => {
    const environment = {
      PATH: "/nowhere",
      HOME: "/nowhere",
      OPENAI_API_KEY: "sk-secret",
      BROWSER: "",
      GROUNDPLAN_HOME: "/dev/null",
    };
    const findings = await examine({ environment, directory: tmpdir(), nodeVersion: "18.0.0" });
    expect(JSON.stringify(findings)).not.toContain("secret");
    const there = findings.filter(({ ok, name }) => ok && name !== "search");
    expect(there.map(({ name }) => name)).toEqual(["OPENAI_API_KEY"]);
    expect(findings.filter(({ ok, advice }) => !ok && advice === null)).toEqual([]);
  });

  test("puts the way to get a thing under it", () => {
    const findings = [
      { name: "git", ok: true, detail: "git version 2", advice: null },
      { name: "sandbox", ok: false, detail: "off", advice: "install it" },
    ];
    expect(asText(findings)).toBe(
      "ok       git      git version 2\nmissing  sandbox  off\n                  install it\n",
    );
  });
});
