/** What the documents tell people to type: every `console` block is typed and compared, every option is one that the help knows. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { program, setStage } from "./program.ts";
import { writeProgram } from "../support/write-program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && name !== "conformance.md");
const pages = ["README.md", "examples/team/README.md", ...docs.map((name) => `docs/${name}`)];
const read = (page: string): string => readFileSync(join(root, page), "utf8");
const typed = pages.filter((page) => read(page).includes("```console"));

/** A small project, as a reader has one. */
const files = {
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/orders.js": "export function orders() {\n  return [{ id: 1, total: 20 }];\n}\n",
  "src/server.js": 'import { orders } from "./orders.js";\nexport const answer = () => JSON.stringify(orders());\n',
};

test.each(typed)("%s: what it shows is what one sees", async (page) => {
  const stage = await setStage({ script: () => ({ text: "" }), files });
  try {
    const bin = join(dirname(stage.home), "bin");
    mkdirSync(bin);
    writeProgram(join(bin, "groundplan"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
    const path = [bin, dirname(process.execPath), process.env["PATH"]].join(":");
    const env = { PATH: path, HOME: dirname(stage.home), GROUNDPLAN_HOME: stage.home };
    let code = 0;
    for (const { command, expected } of steps(read(page))) {
      const seen = await type(`(exit ${code}); ${command}`, { cwd: stage.repository, env });
      code = seen.code;
      expect(`${command}\n${seen.output}`).toMatch(pattern(`${command}\n${expected}`));
    }
  } finally {
    await stage.close();
  }
});

test("there are such blocks", () => {
  expect(typed).toEqual(expect.arrayContaining(["docs/review.md", "docs/ci.md", "docs/settings.md", "docs/teams.md"]));
});

test("every command and option in the documents is one that the help knows", async () => {
  const stage = await setStage({ script: () => ({ text: "" }), files: {} });
  try {
    const help = new Map<string, string>();
    const helpOf = async (name: string): Promise<string> => {
      const text = help.get(name) ?? (await stage.run([...(name === "" ? [] : [name]), "--help"])).stdout;
      help.set(name, text);
      return text;
    };
    const session = await helpOf("");
    const names = [...session.matchAll(/^ {2}groundplan ([a-z]+)/gm)].map((match) => match[1]!);
    const unknown: string[] = [];
    for (const line of pages.flatMap((page) => written(read(page)))) {
      const [, word = ""] = /^groundplan ([a-z]+)/.exec(line) ?? [];
      if (word !== "" && !names.includes(word)) unknown.push(line);
      const known = `${await helpOf(names.includes(word) ? word : "")}\n${session}`;
      const options = [...line.replaceAll(/"[^"]*"|'[^']*'/g, "").matchAll(/ (--[a-z-]+)/g)].map((match) => match[1]!);
      unknown.push(...options.filter((option) => !known.includes(option)).map((option) => `${option} in ${line}`));
    }
    expect(unknown).toEqual([]);
    expect(names.length).toBeGreaterThan(7);
  } finally {
    await stage.close();
  }
});

/** Lines of shell blocks and things in backquotes that begin with the program's name. */
function written(text: string): readonly string[] {
  const blocks = [...text.matchAll(/```(?:sh|console)\n([\s\S]*?)```/g)].flatMap((match) => match[1]!.split("\n"));
  const quoted = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
  return [...blocks, ...quoted].flatMap((line) => /(?:^|[|$] )(groundplan [^|;#]+)/.exec(line)?.[1] ?? []);
}

interface Step {
  readonly command: string;
  readonly expected: string;
}

function steps(text: string): readonly Step[] {
  const blocks = [...text.matchAll(/```console\n([\s\S]*?)```/g)].map((match) => match[1]!);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf("\n");
        return { command: part.slice(0, end), expected: part.slice(end + 1).trimEnd() };
      }),
  );
}

/** `…` stands for anything. */
function pattern(text: string): RegExp {
  const parts = text.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(String.raw`[\s\S]*`)}$`);
}

function type(
  command: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile("sh", ["-c", command], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ code, output: `${stderr}${stdout}`.trimEnd() });
    });
    child.stdin?.end();
  });
}
