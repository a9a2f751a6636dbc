// The real clients, from npm by exact version, into a folder outside of the repository; none of their scripts is run.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The file to start, or why there is none. */
export async function clientProgram({ name, packages, program }) {
  const cache = process.env["GROUNDPLAN_CLIENTS_CACHE"] ?? join(tmpdir(), "groundplan-clients");
  const folder = join(cache, name);
  mkdirSync(folder, { recursive: true });
  if (!isThere(folder, packages)) {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    const wanted = Object.entries(packages).map(([each, version]) => `${each}@${version}`);
    const args = [
      "install",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--no-package-lock",
      "--save-exact",
      "--loglevel=error",
    ];
    try {
      await run("npm", [...args, ...wanted], { cwd: folder, timeout: 240_000 });
    } catch (error) {
      return { problem: `npm could not install it: ${firstLine(error)}` };
    }
  }
  const file = program(folder);
  return file !== null && existsSync(file) ? { file } : { problem: "its packages hold no program for this machine" };
}

function isThere(folder, packages) {
  return Object.entries(packages).every(([name, version]) => {
    try {
      return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version === version;
    } catch {
      return false;
    }
  });
}

function firstLine(error) {
  return String(error.stderr || error.message)
    .replaceAll(/https?:\/\/\S+/g, "…")
    .split("\n")[0];
}
