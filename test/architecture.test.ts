/** The house rules of ARCHITECTURE.md, kept by reading the sources. */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { providers } from "../src/agent/models/providers.ts";
import { createTools } from "../src/agent/tools/registry.ts";
import { filesBelow } from "./support/walk.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src");

const mayImport: Record<string, readonly string[]> = {
  core: [],
  shell: [],
  prompts: ["core"],
  agent: ["core", "prompts", "shell"],
  scout: ["core", "agent"],
  mail: ["core", "agent"],
  faces: ["core", "agent", "mail"],
  testing: ["core", "prompts", "agent", "shell"],
  program: ["core", "prompts", "agent", "shell", "scout", "mail"],
  clients: ["core", "prompts", "agent", "shell", "program"],
  crashtest: ["core", "agent", "clients", "testing"],
  cli: ["core", "prompts", "agent", "shell", "scout", "mail", "faces", "program", "clients", "crashtest"],
  entry: ["core", "prompts", "agent", "shell", "mail", "faces", "program"],
};
const outside: Record<string, readonly RegExp[]> = {
  core: [/^zod$/, /^node:path$/, /^node:crypto$/],
  shell: [/^unbash$/, /^node:path$/],
};
const impure =
  /\b(Date\.now|new Date\(|Math\.random|performance\.|setTimeout|setInterval|setImmediate|process\.|console\.|fetch\(|async |await |new Promise)/;

const mayKnowTools = [
  /** Scout is a model: it calls tools by the names that a request tells it, as every model does. */
  "scout/plan/",
  /** A row of another agent's client says which of our tools each of theirs is. */
  "clients/",
  /** A row of the crash test says how a model calls an agent's tools. */
  "crashtest/agents/",
  /** Words of the shell's grammar and of a page, not tools. */
  "shell/",
  "faces/browser/page/view/header.tsx",
];

/** They lead programs to a scripted model, by the variables that those read. */
const leadsToScript = new Set(["testing", "crashtest"]);

const files = filesBelow(source)
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({
    name,
    room: name.includes("/") ? name.split("/")[0]! : "entry",
    text: readFileSync(join(source, name), "utf8"),
  }));
const code = files.filter(({ name }) => !name.endsWith(".test.ts"));

describe("the house", () => {
  test("rooms import only downward, and faces never each other", () => {
    const wrong = files.flatMap(({ name, room, text }) =>
      importsOf(text)
        .filter((target) => target.startsWith("."))
        .map((target) => relative(source, resolve(source, dirname(name), target)))
        .filter((target) => !isAllowed({ name, room }, target))
        .map((target) => `${name} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("the agent's ports know nothing of the agent above them", () => {
    const above = code
      .filter(({ name }) => name.startsWith("agent/ports/"))
      .flatMap(({ name, text }) =>
        importsOf(text)
          .map((target) => relative(source, resolve(source, dirname(name), target)))
          .filter((target) => target.startsWith("agent/") && !target.startsWith("agent/ports/"))
          .map((target) => `${name} -> ${target}`),
      );
    expect(above).toEqual([]);
  });

  test("there is no import cycle", () => {
    expect(cyclesOf(code)).toEqual([]);
  });

  test("no file is longer than 300 lines", () => {
    const long = files.map(({ name, text }) => ({ name, lines: text.split("\n").length - 1 }));
    expect(long.filter(({ lines }) => lines > 300)).toEqual([]);
  });

  test("no folder is a long list: at most 25 source files beside each other", () => {
    const sizes = new Map<string, number>();
    const listed = filesBelow(source).filter((name) => /\.(tsx?|md|css)$/.test(name) && !name.endsWith(".test.ts"));
    for (const name of listed) sizes.set(dirname(name), (sizes.get(dirname(name)) ?? 0) + 1);
    expect([...sizes].filter(([, count]) => count > 25)).toEqual([]);
  });

  test("exported type names are unique: one name, one meaning", () => {
    const homes = new Map<string, string[]>();
    for (const { name, text } of code)
      for (const type of exportedTypes(text)) homes.set(type, [...(homes.get(type) ?? []), name]);
    expect([...homes].filter(([, names]) => names.length > 1)).toEqual([]);
  });

  test("there is no module-level mutable binding, any, default export or star export", () => {
    const banned = /^(export )?(let|var) |\bas any\b|: any\b|<any>|^export default|^export \*/m;
    expect(code.filter(({ text }) => banned.test(withoutComments(text))).map(({ name }) => name)).toEqual([]);
  });

  test("core and shell are pure: no I/O, clock, randomness, async or logging", () => {
    const pure = code.filter(({ room }) => room === "core" || room === "shell");
    expect(pure.filter(({ text }) => impure.test(withoutComments(text))).map(({ name }) => name)).toEqual([]);
    const foreign = pure.flatMap(({ name, room, text }) =>
      importsOf(text)
        .filter((target) => !target.startsWith(".") && !outside[room]!.some((allowed) => allowed.test(target)))
        .map((target) => `${name} -> ${target}`),
    );
    expect(foreign).toEqual([]);
  });

  test("of node:crypto the core takes createHash alone", () => {
    const imports = code
      .filter(({ room }) => room === "core")
      .flatMap(({ text }) => text.match(/^import .*from "node:crypto";$/gm) ?? []);
    expect(new Set(imports)).toEqual(new Set(['import { createHash } from "node:crypto";']));
  });

  test("no tool name appears outside of its row, in permission code or anywhere else", () => {
    const names = [
      ...createTools({ modelMayEnterPlan: "ask", planEagerness: "eager" }).map(({ name }) => name),
      "Agent",
    ];
    const known = new RegExp(`["'\`](${[...names, "ToolSearch"].join("|")})["'\`(]`);
    const knowing = code
      .filter(({ name, room }) => room !== "testing" && !name.startsWith("agent/tools/"))
      .filter(({ text }) => known.test(withoutComments(text)))
      .map(({ name }) => name);
    expect(knowing.filter((name) => !mayKnowTools.some((allowed) => name.startsWith(allowed)))).toEqual([]);
    expect(mayKnowTools.filter((allowed) => !knowing.some((name) => name.startsWith(allowed)))).toEqual([]);
  });

  test("how comments and edits become words for the model stands in prompts alone", () => {
    const quoting = /```diff|\(\/\^\/gm?, *["'`]> |["'`](\\n)+[A-Z][\w -]*: ["'`$]|\btext: *`\$\{\w+\.text\}[^`]/;
    const found = code.filter(({ text }) => quoting.test(withoutComments(text))).map(({ name }) => name);
    expect(found).toEqual(["prompts/render/feedback.ts"]);
  });

  test("the modes, and the kinds of comments, are listed once", () => {
    const lists = /"default",\s*"acceptEdits",|"change",\s*"question",/;
    expect(code.filter(({ text }) => lists.test(text)).map(({ name }) => name)).toEqual([
      "core/mode.ts",
      "core/verdict.ts",
    ]);
  });

  test("nothing but its row knows a provider", () => {
    const names = providers.flatMap(({ name, keyVariable, addressVariable, main, small }) => [
      `["'\`]${name}\\b`,
      keyVariable,
      addressVariable,
      `${main}\\b`,
      `${small}\\b`,
    ]);
    const known = new RegExp(names.join("|"));
    const wires = new Set(
      ["effort", "errors", "prompt", "provider", "vendors"].map((name) => `agent/models/${name}.ts`),
    );
    const elsewhere = code.filter(
      ({ name, room }) => !leadsToScript.has(room) && name !== "agent/models/providers.ts" && !wires.has(name),
    );
    expect(elsewhere.filter(({ text }) => known.test(withoutComments(text))).map(({ name }) => name)).toEqual([]);
  });

  test("nothing reads folders recursively by Node itself: some versions follow links", () => {
    const recursive = /readdir(Sync)?\([^;]*?recursive: *true/;
    const tests = filesBelow(join(root, "test"))
      .filter((name) => name.endsWith(".ts") && name !== "architecture.test.ts")
      .map((name) => ({ name, text: readFileSync(join(root, "test", name), "utf8") }));
    expect([...files, ...tests].filter(({ text }) => recursive.test(text)).map(({ name }) => name)).toEqual([]);
  });

  test("B1.10 one launcher starts every program", () => {
    const starts =
      /(from|import|require)\s*\(?\s*["'`](node:)?(child_process|cluster)["'`]|\bprocess\.(binding|execve)\b/;
    const starting = code.filter(({ text }) => starts.test(withoutComments(text).replace(/^import type .*$/gm, "")));
    expect(starting.map(({ name }) => name)).toEqual(["agent/host/launch/launch.ts"]);
  });

  test("each source file begins with a sentence that says what it is", () => {
    expect(code.filter(({ text }) => !/^(#!.*\n)?\/\*\*? ?\S/.test(text)).map(({ name }) => name)).toEqual([]);
  });
});

function isAllowed({ name, room }: { name: string; room: string }, target: string): boolean {
  const to = target.includes("/") ? target.split("/")[0]! : "entry";
  if (to === room) return room !== "faces" || name.split("/")[1] === target.split("/")[1];
  if (name.endsWith(".test.ts"))
    return to === "testing" || target.startsWith("../test/support/") || mayImport[room]!.includes(to);
  return mayImport[room]!.includes(to);
}

/** Those that are declared there; a re-export is the same type under the same roof. */
function exportedTypes(text: string): string[] {
  const declaration = /^export (?:declare )?(?:abstract )?(?:interface|type|class) ([A-Za-z_$][\w$]*)/gm;
  return [...withoutComments(text).matchAll(declaration)].map((match) => match[1]!);
}

function importsOf(text: string): string[] {
  return [...withoutComments(text).matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1]!);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

function cyclesOf(sources: readonly { name: string; text: string }[]): string[] {
  const graph = new Map(
    sources.map(({ name, text }) => [
      name,
      importsOf(text)
        .filter((target) => target.startsWith("."))
        .map((target) => relative(source, resolve(source, dirname(name), target))),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      cycles.push([...path.slice(path.indexOf(name)), name].join(" -> "));
      return;
    }
    if (done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return cycles;
}
