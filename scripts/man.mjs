// Makes dist/man/groundplan.1, the manual page, of what the built program says of itself; `npm run build` does so.
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** `folder`: where it is written. */
export async function buildManual(folder) {
  const { version, description } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const told = (...args) =>
    execFileSync(process.execPath, [join(root, "dist/bin/groundplan.js"), ...args], { encoding: "utf8" });
  const help = told("help");
  const names = [...help.matchAll(/^ {2}groundplan ([a-z]+)/gm)]
    .map((match) => match[1])
    .filter((name) => name !== "help");
  const page = [
    `.TH GROUNDPLAN 1 "" "groundplan ${version}" "User Commands"`,
    ".SH NAME",
    `groundplan \\- ${roff(description.replace(/\.$/, ""))}`,
    ".SH SYNOPSIS",
    ".B groundplan",
    "[\\fItask\\fR] [\\fIoptions\\fR]",
    ".br",
    ".B groundplan",
    "\\fIcommand\\fR [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    asTyped(help.split("\n").slice(2).join("\n")),
    ".SH COMMANDS",
    ...names.flatMap((name) => [`.SS ${name}`, asTyped(told("help", name))]),
    ".SH FILES",
    asTyped("~/.groundplan   plans, sessions, settings.json (another folder: GROUNDPLAN_HOME)"),
  ].join("\n");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "groundplan.1"), `${page}\n`);
}

function asTyped(text) {
  return [".nf", ...text.trimEnd().split("\n").map(roff), ".fi"].join("\n");
}

/** A point or a quote at the beginning of a line would be a request. */
function roff(line) {
  return line
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/, "\\&")
    .replaceAll(/[^\0-\x7f]/gu, (sign) => `\\[u${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}
