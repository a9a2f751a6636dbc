/** What a rule of auto mode found out about a call; of several, the strictest counts. */

export interface Finding {
  /** `open`: nothing speaks against it, nothing for it; a side model may say. `ask`: a person alone may say yes. */
  readonly kind: "allow" | "open" | "ask" | "deny";
  readonly reason: string;
}

/** The first of the strictest. */
export function strictest(findings: readonly Finding[], least: Finding): Finding {
  return findings.reduce((worst, one) => (rank(one) > rank(worst) ? one : worst), least);
}

export const deny = finding("deny");
export const ask = finding("ask");
export const open = finding("open");
export const allow = finding("allow");

function finding(kind: Finding["kind"]): (reason: string) => Finding {
  return (reason) => ({ kind, reason });
}

function rank({ kind }: Finding): number {
  return ["allow", "open", "ask", "deny"].indexOf(kind);
}
