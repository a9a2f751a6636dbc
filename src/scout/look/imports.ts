/** What a file imports, as written: one list of targets as path suffixes that `graph.ts` looks up in the repository. */
import { posix } from "node:path";

type Reader = (text: string, path: string) => string[];

const readers: readonly (readonly [RegExp, Reader])[] = [
  [/\.(?:[cm]?[jt]sx?|svelte|vue|astro)$/i, ofScript],
  [/\.(?:py|pyi|pyx)$/i, ofPython],
  [/\.go$/i, ofGo],
  [/\.rs$/i, ofRust],
  [/\.(?:java|kts?|scala|groovy)$/i, ofJava],
  [/\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|m|mm)$/i, ofC],
  [/\.(?:rb|php|lua|dart|ex|exs|cs|sh)$/i, ofOthers],
];

/** Targets without endings: `/src/a/b` is from the root exactly, `a/b` may stand anywhere, `a/b/` is a whole folder. */
export function importsOf(path: string, text: string): string[] {
  const reader = readers.find(([ending]) => ending.test(path))?.[1];
  if (reader === undefined) return [];
  return [...new Set(reader(text, path))].filter((target) => target.length > 1 && !target.includes("\0")).slice(0, 200);
}

function ofScript(text: string, path: string): string[] {
  const pattern = /(?:\bfrom\s{0,9}|\bimport\s{0,9}\(?\s{0,9}|\brequire\s{0,9}\(\s{0,9})["']([^"'\n]+)["']/g;
  return [...text.matchAll(pattern)].map(([, target]) => scriptTarget(target!, path));
}

function scriptTarget(target: string, path: string): string {
  const bare = target.replace(/\?.*$/, "").replace(/\.(?:[cm]?[jt]sx?|svelte|vue)$/, "");
  if (bare.startsWith(".")) return rooted(path, bare);
  return bare.replace(/^(?:[@~#$]\/|@(?=[^/]+$)|~|#)/, "");
}

function ofPython(text: string, path: string): string[] {
  const targets: string[] = [];
  for (const [, dots, module, names] of text.matchAll(
    /^[ \t]*from\s+(\.*)([\w.]*)\s+import\s+(\([^)]{0,4000}\)|[^\n]*)/gm,
  )) {
    const base = module!.replaceAll(".", "/");
    const start =
      dots === "" ? base : rooted(path, `${dots!.length > 1 ? "../".repeat(dots!.length - 1) : "./"}${base}`);
    if (start.length > 1) targets.push(start);
    for (const [name] of names!.matchAll(/[A-Za-z_]\w*/g)) {
      if (name !== "as") targets.push(posix.join(start, name));
    }
  }
  for (const [, names] of text.matchAll(/^[ \t]*import\s+([\w., \t]+)/gm)) {
    targets.push(...names!.split(",").map((name) => name.trim().split(/\s/)[0]!.replaceAll(".", "/")));
  }
  return targets;
}

function ofGo(text: string): string[] {
  const block = [...text.matchAll(/^import\s{0,9}(?:\(([^)]{0,8000})\)|(?:\w+\s+)?("[^"]+"))/gm)].map(
    (match) => match[1] ?? match[2]!,
  );
  return [...block.join("\n").matchAll(/"([^"\n]+)"/g)]
    .map(([, target]) => `${target!}/`)
    .filter((target) => /\/.*\//.test(target));
}

function ofRust(text: string, path: string): string[] {
  const targets: string[] = [];
  const folder = /(?:^|\/)(?:mod|lib|main)\.rs$/.test(path) ? posix.dirname(path) : path.replace(/\.rs$/, "");
  for (const [, name] of text.matchAll(/^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/gm))
    targets.push(`/${posix.join(folder, name!)}`);
  for (const [, tree] of text.matchAll(/^\s*(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]{1,2000});/gm)) {
    const [head = ""] = tree!.split("{");
    const steps = head
      .split("::")
      .map((step) => step.trim())
      .filter((step) => step !== "");
    const leaves = [...(tree!.slice(head.length).matchAll(/\b([a-z_]\w*)\b/g) ?? [])].map(([, leaf]) => leaf!);
    const base = steps.filter((step) => !/^(?:crate|self|super)$/.test(step));
    if (base.length === 0 && leaves.length === 0) continue;
    for (const leaf of ["", ...leaves]) targets.push([...base, leaf].filter((step) => step !== "").join("/"));
    if (base.length > 1) targets.push(base.slice(0, -1).join("/"));
  }
  return targets;
}

function ofJava(text: string): string[] {
  return [...text.matchAll(/^\s*import\s+(?:static\s+)?([\w.]+)(\.[*_])?/gm)].map(([, name, all]) =>
    all === undefined ? name!.replaceAll(".", "/") : `${name!.replaceAll(".", "/")}/`,
  );
}

function ofC(text: string): string[] {
  return [...text.matchAll(/^\s*#\s*(?:include|import)\s*["<]([^">\n]+)[">]/gm)].map(([, target]) =>
    target!.replace(/^(?:\.\.?\/)+/, "").replace(/\.\w+$/, ""),
  );
}

function ofOthers(text: string, path: string): string[] {
  const quoted = [
    ...text.matchAll(/\b(require_relative|require|include|import|source)\b\s{0,9}\(?\s{0,9}["']([^"'\n]+)["']/g),
  ];
  const named = [...text.matchAll(/^\s*(?:use|alias|using)\s+([\w.\\]+)/gm)];
  return [
    ...quoted.map(([, verb, target]) =>
      verb === "require_relative" ? rooted(path, target!) : target!.replace(/^(?:\.\.?\/)+/, "").replace(/\.\w+$/, ""),
    ),
    ...named.map(([, name]) => name!.replace(/[.\\]/g, "/")),
  ];
}

function rooted(path: string, target: string): string {
  return `/${posix.join(posix.dirname(path), target)}`.replace(/\/$/, "");
}
