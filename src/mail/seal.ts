/** The seal on what a team says: an HMAC over canonical bytes, so that only who knows the team's secret is believed. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Address, Letter, PlanKey, PlanSnapshot } from "./mailbox.ts";

/** Bound to the inbox, the sender, the id and the time: it counts nowhere else, and not under another id. */
export function sealOf(secret: string, to: Address, { from, id, timestamp, text }: Omit<Letter, "mac">): string {
  return macOf(secret, ["groundplan letter", version, to.team, to.agent, from, id, timestamp, text]);
}

/** Null for a letter that counts; otherwise why not. */
export function sealProblem(secret: string, to: Address, letter: Letter, now: number): string | null {
  if (letter.mac === undefined) return "unsealed";
  if (!isSame(letter.mac, sealOf(secret, to, letter))) return "foreign";
  const at = Date.parse(letter.timestamp);
  if (Number.isNaN(at) || at - now > longestAheadMs) return "ahead";
  return now - at > longestAgeMs ? "old" : null;
}

/** A plan as it is kept: its seal on the first line. */
export function sealText(secret: string, key: PlanKey, { revision, text }: PlanSnapshot): string {
  return `${head}${planMac(secret, key, { revision, text })}\n${text}`;
}

/** Null where the seal is missing or another one. */
export function unsealText(secret: string, key: PlanKey, { revision, text: sealed }: PlanSnapshot): string | null {
  const end = sealed.indexOf("\n");
  if (!sealed.startsWith(head) || end < 0) return null;
  const text = sealed.slice(end + 1);
  return isSame(sealed.slice(head.length, end), planMac(secret, key, { revision, text })) ? text : null;
}

/** As long as anybody waits for an answer, and a day. */
export const longestAgeMs = 31 * 24 * 60 * 60 * 1000;
/** Clocks of two machines may differ by so much. */
const longestAheadMs = 24 * 60 * 60 * 1000;
const version = 1;
const head = `groundplan-seal ${version} `;

function planMac(secret: string, { team, plan }: PlanKey, { revision, text }: PlanSnapshot): string {
  return macOf(secret, ["groundplan plan", version, team, plan, revision, text]);
}

/** JSON of a flat list: no two lists have the same bytes. */
function macOf(secret: string, parts: readonly (string | number)[]): string {
  return createHmac("sha256", secret).update(JSON.stringify(parts), "utf8").digest("base64url");
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given, "utf8"), Buffer.from(wanted, "utf8")];
  return one.length === other.length && timingSafeEqual(one, other);
}
