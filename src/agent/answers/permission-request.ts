/** What a permission dialog must know beyond what is asked: the file as it is, and what rules would cover (R17.2, B18.2). */
import type { PermissionAsk } from "../ports/ports.ts";
import { covers, noOffers, type OfferFacts, type RuleOffers } from "../../core/decide/offers.ts";
import { previewRule, type RulePreview } from "../../core/decide/rule-words.ts";
import type { Mode } from "../../core/mode.ts";

export interface PermissionRequest {
  readonly ask: PermissionAsk;
  readonly mode: Mode;
  /** The file as it is, for the difference of an edit; null where there is none, or it cannot be read. */
  readonly before: string | null;
  readonly offers: RuleOffers;
  /** Of rules as they are being written, one a line. */
  readonly preview: (rules: readonly string[]) => RulesPreview;
}

export interface RulesPreview {
  readonly rules: readonly RulePreview[];
  /** Whether this very call would not be asked about again. */
  readonly coversThis: boolean;
}

export interface PermissionFacts {
  /** The mode of the session at the moment of asking. */
  readonly mode: () => Mode;
  /** What rules are matched with. */
  readonly standing: () => OfferFacts | null;
  /** The content of a file that an edit would change; null when there is none. */
  readonly readText?: (path: string) => Promise<string | null>;
}

export async function permissionRequest(ask: PermissionAsk, facts: PermissionFacts): Promise<PermissionRequest> {
  await ask.ready;
  const mode = facts.mode();
  const { call, offers = noOffers } = ask;
  const { access } = call;
  const before = access?.kind === "write" ? await facts.readText?.(access.path).catch(() => null) : null;
  const standing = facts.standing();
  const runners = standing?.permissions.rules.runners ?? [];
  const preview = (rules: readonly string[]): RulesPreview => ({
    rules: rules.map((rule) => previewRule(rule, runners)),
    coversThis: standing !== null && covers(rules, call, standing),
  });
  return { ask, mode, before: before ?? null, offers: mode === "plan" ? noOffers : offers, preview };
}
