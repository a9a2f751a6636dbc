// The real clients, from npm by exact version, into a folder outside of the repository; none of their scripts is run.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Versions that were tried, and the program in each package for this machine. */
export const clients = {
  claude: {
    packages: { "@anthropic-ai/claude-code": "2.1.325" },
    program: (folder) => onThisMachine(join(folder, "@anthropic-ai/claude-code-linux-x64/claude")),
  },
  codex: {
    packages: { "@openai/codex": "0.166.0" },
    program: (folder) =>
      onThisMachine(join(folder, "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex")),
  },
  gemini: {
    packages: { "@google/gemini-cli": "0.61.0" },
    program: (folder) => join(folder, "@google/gemini-cli/bundle/gemini.js"),
  },
  opencode: {
    packages: { "opencode-ai": "1.18.33" },
    program: (folder) => onThisMachine(join(folder, "opencode-linux-x64/bin/opencode")),
  },
};

function onThisMachine(file) {
  return process.platform === "linux" && process.arch === "x64" ? file : null;
}

/** The file to start, or why there is none. */
export async function clientProgram(name, { packages, program } = clients[name]) {
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
  const file = program(join(folder, "node_modules"));
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
