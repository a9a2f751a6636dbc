/** Findings as lines of a report, worst first, no list longer than people read. */
import { isRefusing, severities, type PlanFinding } from "../../../core/proof/finding.ts";
import { oneLine, type OutputScreen } from "../plans/screen.ts";

export function findingLines(findings: readonly PlanFinding[], { paint }: OutputScreen): readonly string[] {
  return severities.flatMap((severity) => {
    const own = findings.filter((finding) => finding.severity === severity);
    if (own.length === 0) return [];
    const head = own.some(isRefusing) ? paint("red", `✗ ${severity}:`) : paint("yellow", `· ${severity}:`);
    return listed(
      head,
      own.map(({ text }) => text),
    );
  });
}

export function listed(head: string, texts: readonly string[]): readonly string[] {
  const more = texts.length > most ? [`    and ${texts.length - most} more`] : [];
  return [head, ...texts.slice(0, most).map((text) => `    ${oneLine(text)}`), ...more];
}

const most = 50;
