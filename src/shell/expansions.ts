/** Looks inside of words: substitutions run scripts, some parameter expansions assign or evaluate. */
import type { ArithmeticExpression, ParsedScript, TestExpression, Word, WordPart } from "unbash";
import { isNumberOutput } from "./args.ts";
import { expandBraces } from "./braces.ts";
import { isNumericText, isNumericWord, maySet } from "./variables.ts";
import type { ShellRefusal, Walk } from "./walk.ts";
import { environment, isDigits, number, report, unknown, unproven } from "./walk.ts";

/** Analyses the script of a substitution. */
export type Descend = (script: ParsedScript, part: { pos: number; end: number }) => void;

export interface Look {
  readonly walk: Walk;
  readonly descend: Descend;
}

export function checkWord(word: Word, look: Look): void {
  if (word.parts === undefined) return;
  checkParts(word.parts, look);
  const braces = word.parts.filter((part) => part.type === "BraceExpansion");
  if (braces.length > 3 || braces.some((part) => expandBraces(part.text) === null)) {
    refuse(word, look.walk, unproven("braces give too many words, or words that are not known"));
  }
}

export function checkParts(parts: readonly WordPart[], look: Look): void {
  for (const part of parts) checkPart(part, look);
}

function checkPart(part: WordPart, look: Look): void {
  const { walk } = look;
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "SimpleExpansion":
      return;
    case "DoubleQuoted":
    case "LocaleString":
      return checkParts(part.parts, look);
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      return checkParts(part.parts ?? [], look);
    case "CommandExpansion":
    case "ProcessSubstitution":
      if (part.script === undefined) return refuse(part, walk, unproven("a substitution could not be parsed"));
      return look.descend(part.script, part);
    case "ArithmeticExpansion":
      if (part.expression === undefined && !/^\$\(\(\s*\)\)$/.test(part.text)) {
        return refuse(part, walk, unproven("arithmetic could not be parsed"));
      }
      walk.effort.mayAbort ||= !isSum(part.expression, walk);
      return checkArithmetic(part.expression, look);
    case "ParameterExpansion":
      return checkParameter(part, look);
  }
}

function refuse(part: { pos: number; end: number }, walk: Walk, refusal: ShellRefusal): void {
  walk.findings.starts = true;
  report(walk, refusal, [part.pos, part.end]);
}

type Parameter = Extract<WordPart, { type: "ParameterExpansion" }>;

function checkParameter(part: Parameter, look: Look): void {
  const { walk } = look;
  const { operation, index, prefix } = part;
  const list = index !== undefined && /^[@*]$/.test(index.text);
  if (prefix === "!" && !list && operation?.type !== "Names") {
    return refuse(part, walk, unproven(`${part.text} takes its name from another variable`));
  }
  const associative = walk.variables.get(part.parameter)?.associative === true;
  if (index !== undefined && !list && !associative && !isNumericWord(index, walk)) {
    return refuse(part, walk, unproven(`the index in ${part.text} is evaluated and not known to be a number`));
  }
  walk.effort.mayAbort ||=
    (operation?.type === "Slice" && !isPlainSlice(operation)) ||
    (index !== undefined && !list && !/^\d$/.test(index.text));
  if (operation === undefined) return;
  switch (operation.type) {
    case "Default":
      if (operation.operator.endsWith("=")) {
        const integer = walk.variables.get(part.parameter)?.integer === true;
        if (integer || !maySet(part.parameter, walk))
          return refuse(part, walk, unproven(`${part.text} sets ${part.parameter}`));
        walk.variables.set(part.parameter, unknown);
      }
      return checkWord(operation.operand, look);
    case "Remove":
      return checkWord(operation.operand, look);
    case "CaseModification":
      return operation.operand === undefined ? undefined : checkWord(operation.operand, look);
    case "Replace":
      checkWord(operation.pattern, look);
      return checkWord(operation.replacement, look);
    case "Slice":
      for (const word of [operation.offset, operation.length]) {
        if (word === undefined || isNumericWord(word, walk)) continue;
        return refuse(part, walk, unproven(`${part.text} evaluates ${word.text}, not known to be a number`));
      }
      return;
    case "Names":
      return;
    case "Transform":
      if (operation.operand.text === "P") refuse(part, walk, unproven(`${part.text} expands commands in a value`));
      return;
    case "Unknown":
      return refuse(part, walk, unproven(`the expansion ${part.text} is not known`));
  }
}

/** From one whole number, of one whole number: it cannot fail. */
function isPlainSlice({ offset, length }: { offset: Word; length?: Word | undefined }): boolean {
  return [offset, length].every((word) => word === undefined || /^(0|[1-9]\d*)$/.test(word.text));
}

const assigning = /^(=|\+=|-=|\*=|\/=|%=|<<=|>>=|&=|\^=|\|=)$/;

export function checkArithmetic(expression: ArithmeticExpression | undefined, look: Look): void {
  if (expression === undefined) return;
  const { walk } = look;
  switch (expression.type) {
    case "ArithmeticWord":
      if (isNumericLiteral(expression.value) || isNumericText(expression.value, walk)) return;
      checkParts(expression.parts ?? [], look);
      return refuse(expression, walk, unproven(`arithmetic evaluates ${expression.value}, not known to be a number`));
    case "ArithmeticBinary":
      if (assigning.test(expression.operator)) assignNumber(expression.left, walk);
      checkArithmetic(expression.left, look);
      return checkArithmetic(expression.right, look);
    case "ArithmeticUnary":
      if (/^(\+\+|--)$/.test(expression.operator)) assignNumber(expression.operand, walk);
      return checkArithmetic(expression.operand, look);
    case "ArithmeticTernary":
      for (const part of [expression.test, expression.consequent, expression.alternate]) checkArithmetic(part, look);
      return;
    case "ArithmeticGroup":
      return checkArithmetic(expression.expression, look);
    case "ArithmeticCommandExpansion":
      if (expression.script !== undefined) look.descend(expression.script, expression);
      if (expression.script !== undefined && isNumberOutput(expression.script)) return;
      return refuse(expression, walk, unproven("arithmetic evaluates the output of a command"));
  }
}

/** Whole numbers that are added, multiplied or compared: it cannot fail. */
function isSum(expression: ArithmeticExpression | undefined, walk: Walk): boolean {
  if (expression === undefined) return true;
  if (expression.type === "ArithmeticWord") {
    if (/^(0|[1-9]\d{0,17})$/.test(expression.value)) return true;
    const variable = walk.variables.get(/^\$?\{?([A-Za-z_]\w*)\}?$/.exec(expression.value)?.[1] ?? "") ?? environment;
    return isDigits(variable) && variable.values?.some((value) => /^-?0\d/.test(value)) !== true;
  }
  if (expression.type === "ArithmeticGroup") return isSum(expression.expression, walk);
  if (expression.type === "ArithmeticCommandExpansion")
    return expression.script !== undefined && isNumberOutput(expression.script);
  return (
    expression.type === "ArithmeticBinary" &&
    /^([-+*<>]|[<>=!]=|&&|\|\|)$/.test(expression.operator) &&
    isSum(expression.left, walk) &&
    isSum(expression.right, walk)
  );
}

function isNumericLiteral(text: string): boolean {
  return /^(\d+|0[xX][0-9a-fA-F]+|\d+#\w+)$/.test(text);
}

function assignNumber(target: ArithmeticExpression, walk: Walk): void {
  if (target.type !== "ArithmeticWord" || !maySet(target.value, walk)) {
    return refuse(target, walk, unproven("arithmetic sets something other than a variable of its own"));
  }
  const before = walk.variables.get(target.value) ?? environment;
  if (before.numeric) walk.variables.set(target.value, number);
}

const evaluating = /^-(eq|ne|lt|le|gt|ge)$/;
const testing = /^-[abcdefghkprstuwxzGLNOSn]$/;

/** `[[ … ]]`: numeric comparison evaluates, `-v` and `-R` evaluate an index. */
export function checkTest(expression: TestExpression, look: Look): void {
  const { walk } = look;
  switch (expression.type) {
    case "TestUnary": {
      const name = /^-[vR]$/.test(expression.operator) && /^[A-Za-z_]\w*$/.test(expression.operand.text);
      if (!name && !testing.test(expression.operator)) {
        return refuse(expression, walk, unproven(`the test ${expression.operator} may evaluate its operand`));
      }
      return checkWord(expression.operand, look);
    }
    case "TestBinary":
      for (const word of [expression.left, expression.right]) {
        checkWord(word, look);
        if (evaluating.test(expression.operator) && !isNumericText(unquoted(word.text), walk)) {
          return refuse(expression, walk, unproven(`${expression.operator} evaluates ${word.text}`));
        }
      }
      return;
    case "TestLogical":
      for (const operand of expression.operands) checkTest(operand, look);
      return;
    case "TestNot":
      return checkTest(expression.operand, look);
    case "TestGroup":
      return checkTest(expression.expression, look);
  }
}

function unquoted(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
}
