/** Receipts signed with the person's SSH key, and checked with public tools (B16.1, B16.2). */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { writeProgram } from "../support/write-program.ts";
import { carriedOut, elsewhere, parsed, type ProofStage } from "./proof-stage.ts";

const ssh = needs("ssh-keygen");

/** A key, and its line for a file of allowed signers. */
function makeKey(folder: string, name: string): { readonly key: string; readonly signer: string } {
  const key = join(folder, `${name}.key`);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", key]);
  return { key, signer: `${name}@example.invalid ${readFileSync(`${key}.pub`, "utf8")}` };
}

async function signing(name = "ada"): Promise<{ stage: ProofStage; signer: string; key: string }> {
  const stage = await carriedOut();
  const { key, signer } = makeKey(dirname(stage.home), name);
  writeFileSync(join(stage.home, "settings.json"), JSON.stringify({ receipt: { key } }));
  return { stage, signer, key };
}

test(
  "B16.1 a signed receipt is verified by ssh-keygen alone, by the very commands of the documentation",
  ssh,
  async () => {
    const { stage, signer } = await signing();
    const text = await stage.receipt();
    const folder = join(dirname(stage.home), "stranger");
    mkdirSync(folder);
    writeFileSync(join(folder, "receipt.json"), text);
    writeFileSync(join(folder, "allowed_signers"), signer);
    const page = readFileSync(new URL("../../docs/proof.md", import.meta.url), "utf8");
    const [, commands = ""] = /Without Groundplan[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
    const typed = commands.replaceAll("you@example.com", "ada@example.invalid");
    const say = (): string => execFileSync("sh", ["-ec", typed], { cwd: folder, encoding: "utf8", stdio: "pipe" });
    expect(say()).toContain('Good "groundplan-receipt" signature for ada@example.invalid');
    writeFileSync(join(folder, "receipt.json"), text.replace('"task": "plan it"', '"task": "plan at"'));
    expect(say).toThrow(/verif/);
  },
);

test("B16.2 only allowed signers count, and a signature that was changed is none", ssh, async () => {
  const { stage, signer } = await signing();
  const text = await stage.receipt();
  stage.commit("the work");
  const machine = elsewhere(stage);
  const verify = (file: string, ...more: string[]) =>
    machine.run("verify", "--receipt", file, "--diff", "HEAD~1..HEAD", ...more);
  const receipt = machine.keep("receipt.json", text);
  const open = await verify(receipt);
  expect(open).toMatchObject({ code: 0, stdout: expect.stringMatching(/unverified:[\s\S]*signed by the key SHA256:/) });
  const signers = machine.keep("signers", signer);
  const good = await verify(receipt, "--signers", signers);
  expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining("signed by ada@example.invalid") });
  const eve = makeKey(dirname(stage.home), "eve");
  const bad = await verify(receipt, "--signers", machine.keep("others", eve.signer));
  expect(bad).toMatchObject({ code: 1, stdout: expect.stringContaining("not one of an allowed signer") });
  const { signature: _, ...unsigned } = parsed(text);
  const bare = machine.keep("bare.json", `${JSON.stringify(unsigned, null, 2)}\n`);
  expect((await verify(bare)).code).toBe(0);
  const refused = await verify(bare, "--signers", signers);
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining("The receipt is not signed") });
  const bent = text.replace(
    /(BEGIN SSH SIGNATURE-----\\n.{200})(.)/,
    (_, head: string, one: string) => head + (one === "A" ? "B" : "A"),
  );
  for (const more of [[], ["--signers", signers]]) {
    const run = await verify(machine.keep("bent.json", bent), ...more);
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining("The signature is not one of this receipt") });
  }
});

test(
  "B16.2 the project's own signers are those on the left of the range: neither a change nor an old base chooses them",
  ssh,
  async () => {
    const stage = await carriedOut({
      files: { ".groundplan/allowed_signers": "ada@example.invalid ssh-ed25519 AAAA\n" },
    });
    const eve = makeKey(dirname(stage.home), "eve");
    writeFileSync(join(stage.home, "settings.json"), JSON.stringify({ receipt: { key: eve.key } }));
    const text = await stage.receipt();
    writeFileSync(join(stage.repository, ".groundplan", "allowed_signers"), eve.signer);
    stage.commit("the work, and eve among the signers");
    const machine = elsewhere(stage);
    const run = await machine.run("verify", "--receipt", machine.keep("r.json", text), "--diff", "HEAD~1..HEAD");
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("not one of an allowed signer");
    expect(run.stdout).toMatch(/outside of the plan:\n +\.groundplan\/allowed_signers was changed/);

    machine.git("rm", "-q", ".groundplan/allowed_signers");
    machine.git("commit", "-qm", "an old base without signers");
    machine.git("branch", "mine");
    machine.git("checkout", "-q", "-b", "theirs");
    machine.git("checkout", "-q", "HEAD~2", "--", ".groundplan/allowed_signers");
    machine.git("commit", "-qm", "main has signers");
    const older = await machine.run(
      "verify",
      "--receipt",
      join(machine.directory, "..", "r.json"),
      "--diff",
      "theirs...mine",
    );
    expect(older.stdout).toContain("not one of an allowed signer");
  },
);

test("B16.1 a key that the project names never counts, trusted or not, and that is said", ssh, async () => {
  const stage = await carriedOut();
  const { key } = makeKey(dirname(stage.home), "mallory");
  mkdirSync(join(stage.repository, ".groundplan"), { recursive: true });
  writeFileSync(join(stage.repository, ".groundplan", "settings.json"), JSON.stringify({ receipt: { key } }));
  const run = await stage.run(["receipt"]);
  expect(run.stderr).toContain("a project cannot choose the key that signs for you");
  expect(parsed(run.stdout).signature).toBeUndefined();
});

test("B16.1 a key that cannot sign, and a machine without ssh-keygen, are said in words, and nothing is printed", async () => {
  const stage = await carriedOut();
  const settings = (key: string) =>
    writeFileSync(join(stage.home, "settings.json"), JSON.stringify({ receipt: { key } }));
  settings("relative/key");
  expect(await stage.run(["receipt"])).toMatchObject({ code: 2, stdout: "" });
  settings("/nonexistent/key");
  const bin = join(dirname(stage.home), "bin");
  mkdirSync(bin);
  for (const name of ["git", "grep", "test"])
    symlinkSync(execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), join(bin, name));
  const without = await stage.run(["receipt"], { environment: { PATH: bin } });
  expect(without).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("there is no ssh-keygen here"),
  });
});

test("B16.1 a key that is not there is named", ssh, async () => {
  const stage = await carriedOut();
  writeFileSync(join(stage.home, "settings.json"), '{ "receipt": { "key": "~/no-such-key" } }');
  const run = await stage.run(["receipt"]);
  expect(run).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/cannot be signed with .*no-such-key/),
  });
});

test(
  "B16.2 an ssh-keygen in the project says nothing of a signature, wherever the PATH leads; neither does a name that is excepted, nor more than a signature",
  ssh,
  async () => {
    const { stage, signer } = await signing("eve");
    const ada = makeKey(dirname(stage.home), "ada");
    const text = await stage.receipt();
    stage.commit("the work");
    const mark = join(dirname(stage.home), "ran");
    const says = `Good "groundplan-receipt" signature with ED25519 key SHA256:abc`;
    mkdirSync(join(stage.repository, "bin"));
    writeProgram(join(stage.repository, "bin", "ssh-keygen"), `#!/bin/sh\ntouch '${mark}'\necho '${says}'\n`);
    const environment = { PATH: `${join(stage.repository, "bin")}:${process.env["PATH"]}` };
    const verify = (receipt: string, signers: string) => {
      const places = { receipt: join(dirname(stage.home), "r.json"), signers: join(dirname(stage.home), "signers") };
      writeFileSync(places.receipt, receipt);
      writeFileSync(places.signers, signers);
      const args = ["--receipt", places.receipt, "--diff", "HEAD~1..HEAD", "--signers", places.signers];
      return stage.run(["verify", ...args], { environment });
    };
    expect(await verify(text, signer)).toMatchObject({ code: 0 });
    const forged = await verify(text, ada.signer);
    expect(forged).toMatchObject({ code: 1, stdout: expect.stringContaining("not one of an allowed signer") });
    expect(existsSync(mark)).toBe(false);
    const excepted = signer.replace(/^\S+/, "!eve@example.invalid,*@example.invalid");
    expect((await verify(text, excepted)).stdout).not.toContain("signed by !");
    const longer = await verify(text.replace('END SSH SIGNATURE-----\\n"', 'END SSH SIGNATURE-----\\nx\\n"'), signer);
    expect(longer).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("The signature is not one of this receipt"),
    });
  },
);
