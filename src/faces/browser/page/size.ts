/** The size of a plan, with what is known about long ones (R9.5). */

export interface PlanSize {
  readonly text: string;
  readonly hint: string;
  readonly isLong: boolean;
}

export function sizeOf(text: string): PlanSize {
  const characters = text.length;
  const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  return {
    text: `${lines.toLocaleString("en")} ${lines === 1 ? "line" : "lines"}, ${characters.toLocaleString("en")} characters`,
    hint: hintFor(characters),
    isLong: characters > 20_000,
  };
}

function hintFor(characters: number): string {
  if (characters < 2000) return "Plans of this size are sent back in about 1 of 5 cases.";
  if (characters > 20_000) return "Long: plans of this size are sent back in about half of all cases.";
  return "The longer a plan, the more often it is sent back.";
}
