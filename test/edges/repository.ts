/** Makes folders and git repositories for the tests of the edges, in one place that is removed afterwards. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export function makeBase(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "groundplan-scout-")));
}

export const shop = {
  "src/cart.ts": 'import { priceOf } from "./price.ts";\nexport function addToCart() { return priceOf(); }\n',
  "src/price.ts": "export function priceOf() { return 1; }\n",
  "src/login.ts": "export function logIn() { return true; }\n",
  "README.md": "A shop.\n",
};

export function folder(root: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(root, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

export function repository(root: string, files: Readonly<Record<string, string>>): string {
  folder(root, files);
  git(root, "init", "--quiet");
  commit(root, "Start");
  return root;
}

export function change(root: string, files: Readonly<Record<string, string>>, message: string): void {
  folder(root, files);
  commit(root, message);
}

export function commit(root: string, message: string): void {
  git(root, "add", "--all");
  git(
    root,
    "-c",
    "user.name=A",
    "-c",
    "user.email=a@b.c",
    "-c",
    "commit.gpgSign=false",
    "commit",
    "--quiet",
    "-m",
    message,
  );
}

export function git(root: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", root, ...args], { encoding: "utf8" });
}
