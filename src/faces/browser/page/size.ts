/** The size of a plan, with what is known about long ones (R9.5). */

export interface PlanSize {
  readonly text: string;
  readonly hint: string;
  readonly isLong: boolean;
}

export function sizeOf(text: string): PlanSize {
  const characters = text.length;
  const lines = linesOf(text);
  return {
    text: `${grouped(lines)} ${lines === 1 ? "line" : "lines"}, ${grouped(characters)} characters`,
    hint: hintFor(characters),
    isLong: characters > 20_000,
  };
}

/** 12,345: without the browser's tables of languages, which take longer to load than a plan. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

function linesOf(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

function hintFor(characters: number): string {
  if (characters < 2000) return "Plans of this size are sent back in about 1 of 5 cases.";
  if (characters > 20_000) return "Long: plans of this size are sent back in about half of all cases.";
  return "The longer a plan, the more often it is sent back.";
}
