/** Arithmetic written down again. */
import type { ArithmeticExpression } from "unbash";

type CommandExpansion = Extract<ArithmeticExpression, { type: "ArithmeticCommandExpansion" }>;

/** Null when some part of it has no canonical form. */
export function writeArithmetic(
  expression: ArithmeticExpression | undefined,
  writeScript: (part: CommandExpansion) => string | null,
): string | null {
  if (expression === undefined) return "";
  const write = (part: ArithmeticExpression): string | null => writeArithmetic(part, writeScript);
  switch (expression.type) {
    case "ArithmeticWord":
      return /^(\w+|\d+#\w+|\$\w+|\$\{#?\w+\})$/.test(expression.value) ? expression.value : null;
    case "ArithmeticBinary":
      return whole` ${write(expression.left)} ${expression.operator} ${write(expression.right)}`;
    case "ArithmeticUnary": {
      const { operator, operand, prefix } = expression;
      const text = write(operand);
      if (!prefix) return whole` ${text}${operator}`;
      return /^[-+]/.test(text ?? "") ? whole` ${operator} ${text}` : whole` ${operator}${text}`;
    }
    case "ArithmeticTernary":
      return whole` ${write(expression.test)} ? ${write(expression.consequent)} : ${write(expression.alternate)}`;
    case "ArithmeticGroup":
      return whole` (${write(expression.expression)})`;
    case "ArithmeticCommandExpansion":
      return writeScript(expression);
    default:
      return null;
  }
}

/** The text, or null when a piece of it is. */
function whole(texts: TemplateStringsArray, ...pieces: readonly (string | null)[]): string | null {
  if (pieces.includes(null)) return null;
  return String.raw({ raw: texts }, ...pieces).trimStart();
}
