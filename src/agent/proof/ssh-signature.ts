/** Signatures by `ssh-keygen -Y`, in a namespace of our own, so that anybody can check them without us (B16.1). */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownEnvironment, personalEnvironment } from "../host/launch/environment.ts";
import { launch } from "../host/launch/launch.ts";

export const signatureNamespace = "groundplan-receipt";

export type Signed = { readonly signature: string } | { readonly problem: string };

/** With a private key, or with a public one whose private half the person's agent has; ssh-keygen asks for a passphrase itself. */
export async function signText(text: string, key: string, directory: string): Promise<Signed> {
  const environment = personalEnvironment(process.env, directory);
  const args = ["-Y", "sign", "-q", "-f", key, "-n", signatureNamespace];
  const { code, stdout, complaint } = await run(args, { text, environment });
  if (code === "missing") return { problem: `The receipt cannot be signed: ${missing}` };
  if (code === 0 && stdout.startsWith("-----BEGIN SSH SIGNATURE-----")) return { signature: stdout };
  return { problem: `The receipt cannot be signed with ${key} (setting "receipt.key"): ${firstLine(complaint)}` };
}

export type SignatureFinding =
  | { readonly kind: "allowed"; readonly signer: string; readonly key: string }
  /** Good, and nobody said whose signatures count. */
  | { readonly kind: "unknown-signer"; readonly key: string }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "no-program"; readonly why: string };

export interface SignatureQuestion {
  readonly text: string;
  readonly signature: string;
  /** The text of an allowed signers file (`man ssh-keygen`); null: nobody said whose signatures count. */
  readonly signers: string | null;
  /** The project: a program in it never says whose signature is good. */
  readonly directory: string;
}

export async function checkSignature(question: SignatureQuestion): Promise<SignatureFinding> {
  const { text, signature, signers, directory } = question;
  if (!inItsForm.test(signature)) return { kind: "refused", why: notOfThis };
  const folder = await mkdtemp(join(tmpdir(), "groundplan-signature-"));
  try {
    const place = { text, environment: ownEnvironment(directory) };
    const signed = ["-n", signatureNamespace, "-s", join(folder, "signature")];
    await writeFile(join(folder, "signature"), signature, { mode: 0o600 });
    const bare = await run(["-Y", "check-novalidate", ...signed], place);
    if (bare.code === "missing") return { kind: "no-program", why: `The signature cannot be checked: ${missing}` };
    const key = /\bSHA256:[A-Za-z0-9+/]+/.exec(bare.stdout)?.[0];
    if (bare.code !== 0 || key === undefined) return { kind: "refused", why: notOfThis };
    if (signers === null) return { kind: "unknown-signer", key };
    await writeFile(join(folder, "signers"), signers, { mode: 0o600 });
    const named = await run(["-Y", "find-principals", ...signed.slice(2), "-f", join(folder, "signers")], place);
    for (const signer of named.stdout
      .split("\n")
      .flatMap((line) => line.split(","))
      .filter((one) => /^[^!]/.test(one))) {
      const args = ["-Y", "verify", ...signed, "-f", join(folder, "signers"), "-I", signer];
      if ((await run(args, place)).code === 0) return { kind: "allowed", signer, key };
    }
    return { kind: "refused", why: `The signature is by the key ${key}, which is not one of an allowed signer.` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const inItsForm = /^-----BEGIN SSH SIGNATURE-----\n[A-Za-z0-9+/=\n]+\n-----END SSH SIGNATURE-----\n$/;
const notOfThis = "The signature is not one of this receipt: the receipt or the signature was changed.";
const missing = "there is no ssh-keygen here; it comes with OpenSSH (apt-get install openssh-client).";

interface Ran {
  readonly code: number | null | "missing";
  readonly stdout: string;
  readonly complaint: string;
}

function run(
  args: readonly string[],
  { text, environment }: { readonly text: string; readonly environment: Record<string, string> },
): Promise<Ran> {
  const child = launch({ program: "ssh-keygen", args, directory: "/", environment, stdio: ["pipe", "pipe", "pipe"] });
  if (child instanceof Error) return Promise.resolve({ code: "missing", stdout: "", complaint: child.message });
  return new Promise((settle) => {
    let stdout = "";
    let complaint = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), longestMs);
    child.stdout!.on("data", (chunk: Buffer) => (stdout = (stdout + chunk.toString("latin1")).slice(0, mostText)));
    child.stderr!.on("data", (chunk: Buffer) => (complaint = (complaint + chunk.toString("utf8")).slice(0, mostText)));
    child.on("error", () => settle({ code: "missing", stdout: "", complaint: "" }));
    child.on("close", (code) => {
      clearTimeout(timer);
      settle({ code, stdout, complaint });
    });
    child.stdin!.on("error", () => undefined);
    child.stdin!.end(text);
  });
}

function firstLine(text: string): string {
  return (
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? "ssh-keygen ended without a word."
  );
}

/** A person may have to type a passphrase, or touch a key. */
const longestMs = 120_000;
const mostText = 64 * 1024;
