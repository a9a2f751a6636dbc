/** What axe-core finds serious or critical on a page. */
import axe from "axe-core";
import type { Page } from "playwright-core";

export async function issuesOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(`${axe.source}; null`);
  const { violations } = await page.evaluate<AxeResult>("axe.run(document, { resultTypes: ['violations'] })");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}
