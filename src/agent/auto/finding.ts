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

export function deny(reason: string): Finding {
  return { kind: "deny", reason };
}

export function ask(reason: string): Finding {
  return { kind: "ask", reason };
}

export function open(reason: string): Finding {
  return { kind: "open", reason };
}

export function allow(reason: string): Finding {
  return { kind: "allow", reason };
}

function rank({ kind }: Finding): number {
  return ["allow", "open", "ask", "deny"].indexOf(kind);
}
