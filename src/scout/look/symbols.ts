/** The names that a file defines, found line by line, without a parser. */

const byWord =
  /(?:^|[\s;{(])(?:function\*?|class|interface|enum|struct|trait|union|protocol|extension|module|namespace|object|record|def|fn|func|fun|defp|defmodule|defmacro|macro_rules!|typedef|impl(?:<[^>\n]{0,200}>)?|mod|type)\s+([A-Za-z_$][\w$]*)/g;
const byMethodOfGo = /^func\s+\([^)]*\)\s+([A-Za-z_]\w*)/gm;
const byBinding =
  /^(?:export\s+)?(?:default\s+)?(?:pub(?:\([^)]*\))?\s+)?(?:const|let|var|static|val)\s+(?:mut\s+)?([A-Za-z_$][\w$]*)/gm;
const byDefine = /^\s*#\s*define\s+([A-Za-z_]\w*)/gm;
const byMember =
  /^[ \t]+(?:(?:public|private|protected|internal|static|final|abstract|override|async|readonly|get|set|default|synchronized|virtual|inline|const)[ \t]+)*(?:[\w$<>[\],.?]+[ \t]+)?([A-Za-z_$][\w$]*)[ \t]*(?:<[^>\n]*>)?\([^;\n]*\{[ \t]*$/gm;
const byFunctionOfC = /^[A-Za-z_][\w \t*]{0,200}?\b([A-Za-z_]\w*)[ \t]*\([^;{}]{0,600}\)[ \t]*\n?[ \t]*\{?[ \t]*$/gm;
const byAssignment = /^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=[^=]/gm;
const byExports =
  /^(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=|^[\w$]+(?:\.prototype)?\.([A-Za-z_$][\w$]*)\s*=\s*(?:async\s+)?(?:function|\()/gm;

const reserved = new Set(
  "if for while switch catch return else do try with function await new typeof in of as from is it".split(" "),
);

export function symbolsOf(path: string, text: string): string[] {
  const names = new Set<string>();
  for (const pattern of patternsFor(path)) {
    for (const match of text.matchAll(pattern)) {
      const name = match[1] ?? match[2];
      if (name !== undefined && name.length > 1 && !reserved.has(name)) names.add(name);
    }
  }
  return [...names];
}

function patternsFor(path: string): readonly RegExp[] {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (/^(?:[cm]?[jt]sx?|svelte|vue|astro)$/.test(ending)) return [byWord, byBinding, byMember, byExports];
  if (/^(?:py|pyi|pyx|rb)$/.test(ending)) return [byWord, byAssignment];
  if (ending === "go") return [byWord, byMethodOfGo, byBinding];
  if (/^(?:c|h|cc|cpp|cxx|hh|hpp|hxx|m|mm)$/.test(ending)) return [byWord, byDefine, byFunctionOfC];
  if (/^(?:java|kts?|scala|cs|groovy|dart|swift|php)$/.test(ending)) return [byWord, byMember];
  if (/^(?:rs|zig|lua|exs?|jl|ml|hs|erl|sh|bash)$/.test(ending)) return [byWord, byBinding];
  return [];
}
