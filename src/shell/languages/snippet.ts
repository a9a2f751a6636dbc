/** Lines of Python and JavaScript that only compute, read and print: every name in them is one of a short list. */

interface SnippetLanguage {
  /** What is taken as one: functions of modules, files by their literal names. */
  readonly known: RegExp;
  /** Functions, methods and keywords, none of which changes or names anything outside of the line. */
  readonly words: ReadonlySet<string>;
  readonly marks: RegExp;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
const text = String.raw`'[^'\\\n]*'|"[^"\\\n]*"`;

const python: SnippetLanguage = {
  known: new RegExp(
    String.raw`(?:json\.(?:load|loads|dumps)|math\.[a-z]+\d*|time\.time|re\.(?:findall|search|match|split|sub)|base64\.b64(?:en|de)code|hashlib\.(?:md5|sha1|sha256)|sys\.(?:version|version_info|platform|executable|prefix|maxsize|byteorder|argv|stdin)|(?<=print\(|join\(|len\()sys\.path(?=\))|(?:en|de)code\(\)|os\.(?:getcwd|cpu_count|listdir|sep|path\.(?:exists|isfile|isdir|join|basename|dirname|getsize))|platform\.(?:python_version|system|machine|platform|release)|datetime\.(?:datetime|date)\.(?:now|today|utcnow)|open\((?:${text})(?:, ?['"]r[bt]?['"])?\))(?!\w)`,
    "y",
  ),
  words: words(
    "print len sum range sorted min max abs round str int float list dict set tuple enumerate zip any all repr hex bin oct ord chr bool reversed for in if else not and or is True False None sep end reverse indent sort_keys upper lower strip lstrip rstrip split splitlines join replace startswith endswith title count index find zfill isdigit keys values items get read readlines isoformat strftime hexdigest group groups year month day major minor micro",
  ),
  marks: /\*\*|\/\/|[=!<>]=|[-+*/%<>=()[\]{},:;.\n]/y,
};

const javascript: SnippetLanguage = {
  known: new RegExp(
    String.raw`(?:require\((['"])\./(?:package|package-lock|tsconfig|composer)\.json\1\)(?:\.(?!constructor|__)\w+|\[(['"])(?!constructor|__)[\w@./-]+\2\])*|require\((['"])(?:node:)?os\3\)\.\w+\(\)|JSON\.parse\(require\((['"])(?:node:)?fs\4\)\.readFileSync\((?:${text})(?:, ?(['"])utf-?8\5)?\)\)(?:\.(?!constructor|__)\w+|\[(['"])(?!constructor|__)[\w@./-]+\6\])*|process\.(?:version|versions(?:\.(?!constructor)[a-z]\w*)?|platform|arch|cwd\(\)|execPath|pid|uptime\(\)|memoryUsage\(\))|JSON\.stringify|Object\.(?:keys|values|entries)|Math\.(?!constructor)[a-zA-Z]\w*|new Date|new Set|console\.log)(?![\w$])|(?<=[\w)\]'"])\[\d+\]`,
    "y",
  ),
  words: words(
    "length map filter join sort reverse slice split toString toFixed toISOString getTime toUpperCase toLowerCase trim includes startsWith endsWith size true false null",
  ),
  marks: /=>|===?|!==?|<=|>=|&&|\|\||\*\*|(?<=[\w)] ?)\/ ?(?=[\w(])|(?<![\w)\]'".]\s*)\[|[-+*%<>?:;,.()\]]/y,
};

/** Names of the line's own; no module and no function of either language is called so. */
const own = /^([a-z]|line|row|item|data|key|value|pkg|obj|text|total)$/;

export interface SnippetEffect {
  /** A file of the directory could take the place of what is loaded; from 3.13 on Python loads linecache for any line, traceback for one that fails. */
  readonly imports: boolean;
  /** Files by their literal names. */
  readonly reads: readonly string[];
}

/** Null: not known to only read. */
export function readPython(code: string): SnippetEffect | null {
  const [head = ""] = /^(?:import [a-z0-9]+(?:, ?[a-z0-9]+)*(?:; *|\n))*/.exec(code) ?? [];
  const loaded = head.match(/[a-z0-9]+/g)?.filter((name) => !/^import$/.test(name)) ?? [];
  const standard = /^(json|math|time|re|base64|hashlib|sys|os|platform|datetime)$/;
  const body = code.slice(head.length).trimEnd().replaceAll(/\n\s*/g, "\n");
  if (!loaded.every((name) => standard.test(name)) || /'''|"""/.test(body) || !computes(body, python)) return null;
  return { imports: true, reads: namesAfter(/open\(/, body) };
}

export function readJavaScript(code: string): SnippetEffect | null {
  if (!computes(code.trim(), javascript)) return null;
  return { imports: code.includes("require"), reads: namesAfter(/(?:readFileSync\(|require\((?=.\.))/, code) };
}

function namesAfter({ source }: RegExp, code: string): readonly string[] {
  return [...code.matchAll(new RegExp(`${source}(${text})`, "g"))].map(([, name]) => name!.slice(1, -1));
}

function computes(code: string, { known, words: names, marks }: SnippetLanguage): boolean {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(code)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const string = /r?'(?:[^'\\\n]|\\[ntdwsb.'"\\])*'|r?"(?:[^"\\\n]|\\[ntdwsb.'"\\])*"/y;
  while (at < code.length) {
    const taken = take(/ +/y) ?? take(known) ?? take(string) ?? take(/\d[\d_]*(?:\.\d+)?(?![\w.])|0x[\da-f]+(?!\w)/y);
    const name = taken === undefined ? take(/[A-Za-z_$][\w$]*(?![\w$'"])/y) : undefined;
    if (name !== undefined && !names.has(name) && !own.test(name)) return false;
    if (taken === undefined && name === undefined && take(marks) === undefined) return false;
  }
  return true;
}
