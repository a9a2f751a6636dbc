/** Words written down again in one canonical quoting. */
import type { ArithmeticExpression, DoubleQuotedChild, Word, WordPart } from "unbash";
import { writeArithmetic } from "./arithmetic.ts";

export type Substitution =
  | Extract<WordPart, { type: "CommandExpansion" | "ProcessSubstitution" }>
  | Extract<ArithmeticExpression, { type: "ArithmeticCommandExpansion" }>;

/** Writes the script of a substitution; null when it cannot be written exactly. */
export type WriteScript = (part: Substitution) => string | null;

const bare = /^(?:[A-Za-z0-9_/.,:@%+-]+|--?[A-Za-z0-9_/.,:@%+-]+=[A-Za-z0-9_/.,:@%+=-]*)$/;

export function quote(text: string): string {
  return bare.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Null when some part of it has no canonical form. */
export function writeWord(word: Word, writeScript: WriteScript): string | null {
  const { parts } = word;
  if (parts === undefined) return writeTilde(word.text, word.value);
  let out = "";
  let literal: string | null = null;
  const flush = (): void => {
    if (literal !== null) out += quote(literal);
    literal = null;
  };
  for (const [index, part] of parts.entries()) {
    const text = literalOf(part);
    if (text === null) {
      flush();
      const written = writePart(part, writeScript);
      if (written === null) return null;
      out += separate(written, parts[index + 1]);
    } else if (index === 0 && part.type === "Literal" && part.text.startsWith("~")) {
      const slash = text.indexOf("/");
      if (slash === -1 || !/^~[\w.-]*$/.test(text.slice(0, slash))) return null;
      out += text.slice(0, slash + 1);
      literal = text.length > slash + 1 ? text.slice(slash + 1) : null;
    } else {
      literal = (literal ?? "") + text;
    }
  }
  flush();
  return out;
}

function writeTilde(text: string, value: string): string | null {
  if (!text.startsWith("~")) return quote(value);
  const slash = value.indexOf("/");
  const user = slash === -1 ? value : value.slice(0, slash);
  if (!/^~[\w.-]*$/.test(user)) return null;
  const rest = slash === -1 ? "" : value.slice(slash + 1);
  return slash === -1 ? user : `${user}/${rest === "" ? "" : quote(rest)}`;
}

/** The text of a part that is only text. */
function literalOf(part: WordPart): string | null {
  if (part.type === "Literal" || part.type === "SingleQuoted") return part.value;
  if (part.type === "AnsiCQuoted") return isPlainAnsi(part.text) ? part.value : null;
  if (part.type !== "DoubleQuoted" && part.type !== "LocaleString") return null;
  let text = "";
  for (const child of part.parts) {
    if (child.type !== "Literal") return null;
    text += child.value;
  }
  return text;
}

/** Escapes whose value is one ASCII character on every system. */
function isPlainAnsi(text: string): boolean {
  return /^\$'(?:[^\\']|\\(?:[abeEfnrtv\\'"?]|x[0-7][0-9a-fA-F](?<!x00)|[01][0-7][0-7](?<!000)))*'$/.test(text);
}

const safeGlob = /^\[[\w!^.:\]-]*\]$/;
const safePattern = /^[\w.*?|/-]*$/;
const safeBraces = /^[\w.,{}/@:+%-]*$/;

function writePart(part: WordPart, writeScript: WriteScript): string | null {
  switch (part.type) {
    case "Glob":
      return part.kind !== "bracket" || safeGlob.test(part.text) ? part.text : null;
    case "ExtendedGlob":
      return safePattern.test(part.pattern) ? `${part.operator}(${part.pattern})` : null;
    case "BraceExpansion":
      return safeBraces.test(part.text) ? part.text : null;
    case "DoubleQuoted":
    case "LocaleString":
      return writeDoubleQuoted(part.parts, writeScript);
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "ArithmeticExpansion":
      return writeExpansion(part, writeScript);
    case "CommandExpansion":
    case "ProcessSubstitution":
      return writeScript(part);
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    default:
      return null;
  }
}

function writeDoubleQuoted(parts: readonly DoubleQuotedChild[], writeScript: WriteScript): string | null {
  let out = '"';
  for (const [index, part] of parts.entries()) {
    if (part.type === "Literal") {
      out += part.value.replaceAll(/[\\"$`]/g, "\\$&");
      continue;
    }
    const written = writePart(part, writeScript);
    if (written === null) return null;
    out += separate(written, parts[index + 1]);
  }
  return `${out}"`;
}

/** `$x` becomes `${x}` where the next character would be taken for a part of the name. */
function separate(written: string, next: WordPart | undefined): string {
  if (next === undefined || !/^\$[A-Za-z0-9_]+$/.test(written)) return written;
  return `\${${written.slice(1)}}`;
}

type Expansion = Extract<WordPart, { type: "SimpleExpansion" | "ParameterExpansion" | "ArithmeticExpansion" }>;

/** Literal text whose meaning does not depend on the quoting around it. */
const inert = /^[\w.,:@%+=*? /-]*$/;

function writeExpansion(part: Expansion, writeScript: WriteScript): string | null {
  if (part.type === "SimpleExpansion") return part.text;
  if (part.type === "ArithmeticExpansion") {
    const body = writeArithmetic(part.expression, writeScript);
    return body === null ? null : `$((${body}))`;
  }
  const index =
    part.index === undefined ? "" : /^(-?\w+|[@*]|\$\w+)$/.test(part.index.text) ? `[${part.index.text}]` : null;
  if (index === null) return null;
  const operation = writeOperation(part, writeScript);
  return operation === null ? null : `\${${part.prefix ?? ""}${part.parameter}${index}${operation}}`;
}

function writeOperation(
  { operation }: Extract<WordPart, { type: "ParameterExpansion" }>,
  writeScript: WriteScript,
): string | null {
  if (operation === undefined) return "";
  const write = (word: Word | undefined): string | null => writeOperand(word, writeScript);
  switch (operation.type) {
    case "Default":
    case "Remove":
    case "CaseModification": {
      const operand = write(operation.operand);
      return operand === null ? null : operation.operator + operand;
    }
    case "Replace": {
      const pattern = write(operation.pattern);
      const replacement = write(operation.replacement);
      const wrong =
        pattern === "" || [pattern, replacement].some((text) => text === null || text.replace("\\/", "").includes("/"));
      return wrong ? null : `${operation.operator}${pattern}/${replacement}`;
    }
    case "Slice": {
      const length = operation.length === undefined ? "" : `:${operation.length.text}`;
      return /^:( ?-)?\w+(:-?\w+)?$/.test(`:${operation.offset.text}${length}`)
        ? `:${operation.offset.text}${length}`
        : null;
    }
    case "Names":
      return operation.operator;
    case "Transform":
      return /^[QULuEAaKk]$/.test(operation.operand.text) ? `@${operation.operand.text}` : null;
    case "Unknown":
    default:
      return null;
  }
}

function writeOperand(word: Word | undefined, writeScript: WriteScript): string | null {
  if (word === undefined || word.text === "") return "";
  if (inert.test(word.text)) return word.text;
  const [part, ...more] = word.parts ?? [];
  if (part === undefined || more.length > 0 || part.type === "LocaleString") return null;
  if (part.type === "DoubleQuoted") return writeDoubleQuoted(part.parts, writeScript);
  if (part.type === "AnsiCQuoted" && isPlainAnsi(part.text)) return part.text;
  return part.type === "SimpleExpansion" || part.type === "CommandExpansion" || part.type === "ParameterExpansion"
    ? writePart(part, writeScript)
    : null;
}
