/** The difference of two texts by lines, for a model to read: what went, what came, a little around it. */

/** Null when it is too long: then half of it would mislead. */
export async function differenceOf(before: string, after: string): Promise<string | null> {
  const { diffArrays } = await import("diff");
  const changes = diffArrays(before.split("\n"), after.split("\n"), { maxEditLength: limit });
  if (changes === undefined) return null;
  const first = changes.findIndex(isChange);
  const last = changes.findLastIndex(isChange);
  const start = changes.slice(0, Math.max(0, first)).reduce((sum, { count }) => sum + count, 0);
  const shown = changes.flatMap(({ value, added, removed }, at) => {
    const sign = added ? "+" : removed ? "-" : " ";
    const lines = at < first ? value.slice(-contextLines) : at > last ? value.slice(0, contextLines) : value;
    return lines.map((line) => `${sign}${line}`);
  });
  const text = [`@@ line ${start + 1} @@`, ...shown].join("\n");
  return text.length > limit ? null : text;
}

const contextLines = 2;
/** In characters. */
const limit = 4_000;

function isChange({ added, removed }: { readonly added: boolean; readonly removed: boolean }): boolean {
  return added || removed;
}
