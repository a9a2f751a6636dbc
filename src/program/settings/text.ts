/** One settings text, parsed and checked; every problem has its place and says what to do (B8.4). */
import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { errorText } from "../../core/error-text.ts";
import { settingsShape, type SettingsFile } from "../../core/settings/shape.ts";
import { explain, type Complaint } from "./advice.ts";

export interface SettingsProblem {
  readonly file: string;
  readonly line: number;
  /** In UTF-16 units, from 1. */
  readonly column: number;
  /** The setting, dotted; null where the text is not even JSON. */
  readonly key: string | null;
  readonly message: string;
}

export type ParsedSettings =
  | { readonly settings: SettingsFile; readonly problems: readonly [] }
  | { readonly settings: null; readonly problems: readonly SettingsProblem[] };

/** JSON with comments and trailing commas; a blank text is an empty file. Never throws, whatever a project wrote there. */
export function parseSettings(text: string, file: string): ParsedSettings {
  const wholly = (message: string): ParsedSettings => failed([{ file, line: 1, column: 1, key: null, message }]);
  if (isDeep(text)) return wholly("this is nested deeper than settings are; take out what is no setting.");
  try {
    return checkedSettings(text, file);
  } catch (error) {
    return wholly(`this cannot be checked (${errorText(error)}); take out what is no setting.`);
  }
}

function checkedSettings(text: string, file: string): ParsedSettings {
  const plain = text.replace(/^\uFEFF/, " ");
  const at = placer(plain, file);
  const errors: ParseError[] = [];
  const tree = parseTree(plain, errors, { allowTrailingComma: true });
  if (tree === undefined && withoutComments(plain) === "") return { settings: {}, problems: [] };
  if (errors.length > 0 || tree === undefined) {
    const [first] = errors;
    return failed([at(first?.offset ?? 0, null, syntaxMessage(first))]);
  }
  const doubtful = doubtfulKeys(tree).slice(0, mostTold);
  if (doubtful.length > 0) return failed(doubtful.map(({ node, key, message }) => at(node.offset, key, message)));
  /** A check that is compiled pays off only when it is made more than once. */
  const checked = settingsShape.safeParse(getNodeValue(tree), { reportInput: true, jitless: true });
  if (checked.success) return { settings: checked.data, problems: [] };
  const complaints = explain(checked.error.issues, mostTold);
  return failed(
    complaints.map((complaint) => at(offsetOf(tree, complaint), complaint.path.join("."), complaint.message)),
  );
}

/** Nobody reads more at once, and each takes its time: a file of a project could hold up the start. */
const mostTold = 50;

/** `file:line:column: message`, as compilers write it. */
export function problemText({ file, line, column, message }: SettingsProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}

function failed(problems: readonly SettingsProblem[]): ParsedSettings {
  const sorted = problems.toSorted((one, other) => one.line - other.line || one.column - other.column);
  return { settings: null, problems: sorted };
}

type Place = (offset: number, key: string | null, message: string) => SettingsProblem;

function placer(text: string, file: string): Place {
  return (offset, key, message) => {
    const before = text.slice(0, offset).split(/\r\n|\n|\r/);
    return { file, line: before.length, column: before.at(-1)!.length + 1, key, message };
  };
}

/** The key itself where the complaint is about a key, else the value; the nearest part that is there otherwise. */
function offsetOf(tree: Node, { path, about }: Complaint): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return about === "key" && length === path.length ? node.parent!.offset : node.offset;
  }
  return tree.offset;
}

/** Keys that a JavaScript object would lose without a word: one said twice, and `__proto__`. */
function doubtfulKeys(node: Node, path: readonly string[] = []): { node: Node; key: string; message: string }[] {
  const children = node.children ?? [];
  if (node.type === "array") return children.flatMap((child, index) => doubtfulKeys(child, [...path, String(index)]));
  if (node.type !== "object") return [];
  const seen = new Set<string>();
  return children.flatMap((property) => {
    const [name, value] = property.children ?? [];
    const here = [...path, String(name?.value)];
    const key = here.join(".");
    const inside = value === undefined ? [] : doubtfulKeys(value, here);
    if (name?.value === "__proto__")
      inside.push({ node: property, key, message: `"__proto__" is not a setting; remove it.` });
    else if (seen.has(String(name?.value)))
      inside.push({ node: property, key, message: `"${key}" is set twice; keep one of them.` });
    seen.add(String(name?.value));
    return inside;
  });
}

function syntaxMessage(error: ParseError | undefined): string {
  const code = error === undefined ? "ValueExpected" : printParseErrorCode(error.error);
  return `this is not JSON: ${syntaxHints[code] ?? "check the text here"}.`;
}

const syntaxHints: Readonly<Record<string, string>> = {
  InvalidSymbol: "put names and texts in double quotes",
  InvalidNumberFormat: "a number is broken here",
  PropertyNameExpected: "a name in double quotes is missing here, or there is a comma too many",
  ValueExpected: "a value is missing here",
  ColonExpected: "a colon is missing between name and value",
  CommaExpected: "a comma is missing before this",
  CloseBraceExpected: "a closing } is missing",
  CloseBracketExpected: "a closing ] is missing",
  EndOfFileExpected: "the text goes on after its end",
  InvalidCommentToken: "a comment is broken here",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a closing double quote is missing",
  UnexpectedEndOfNumber: "a number is broken here",
  InvalidUnicode: "a \\u escape is broken here",
  InvalidEscapeCharacter: "this escape does not exist; a backslash is written \\\\",
  InvalidCharacter: "a control character stands here",
};

/** Not worth a parser's stack: a setting has a handful of brackets around it. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > 100) return true;
  }
  return false;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n\r]*/g, "").trim();
}
