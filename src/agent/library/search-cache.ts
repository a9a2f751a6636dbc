/** The searchable text of all plans, kept beside the index so that a search opens one file instead of thousands (B5.4). */
import { statSync } from "node:fs";
import { join } from "node:path";
import { approvedHash } from "../../core/plan/ledger.ts";
import { fields, isObject, list, number, parseJson, text } from "../../core/wire/shape.ts";
import { replaceFile } from "../host/files/replace-file.ts";
import type { PlanEntry } from "./entry.ts";
import { plansFolder } from "./places.ts";
import { joined, layOut, moved, type Placed, type Segment } from "./search-text.ts";
import { readRegular } from "../host/files/read-regular.ts";

export interface SearchTexts {
  readonly configHome: string;
  /** Those to search in. */
  readonly plans: readonly PlanEntry[];
  /** Everything that the library has: one store serves every project, and what is not searched in is not looked at. */
  readonly everywhere: readonly PlanEntry[];
  /** The text that counts for a plan. */
  readonly textOf: (plan: PlanEntry) => Promise<string>;
}

/** What is searched: the kept bytes, and plans that changed since. Never throws; without a cache everything is read anew. */
export async function searchSegments({
  configHome,
  plans,
  everywhere,
  textOf,
}: SearchTexts): Promise<readonly Segment[]> {
  const path = join(plansFolder(configHome), "index.search");
  const kept = await readCache(path);
  const keys = new Map(plans.map((plan) => [plan.id, keyOf(plan)]));
  const ids = new Set(everywhere.map(({ id }) => id));
  const valid = kept.plans.filter(({ id, key }) => (keys.has(id) ? keys.get(id) === key : ids.has(id)));
  const known = new Set(valid.map(({ id }) => id));
  const most = Math.min(
    largestPlan,
    Math.max(smallestShare, Math.floor(largestCache / Math.max(1, everywhere.length))),
  );
  const stale = plans.filter(({ id }) => !known.has(id));
  const texts = [];
  for (const plan of stale) {
    texts.push({ id: plan.id, key: keys.get(plan.id)!, title: plan.title, text: await textOf(plan) });
  }
  const fresh = layOut(texts, most);
  const standing = valid.length === kept.plans.length ? kept : moved(kept, valid);
  if (stale.length > fewStale || kept.plans.length - valid.length > fewStale) {
    await writeCache(path, joined(standing, fresh)).catch(() => undefined);
  }
  return [standing, fresh];
}

const fewStale = 48;
const largestPlan = 512 * 1024;
const smallestShare = 16 * 1024;
const largestCache = 256 * 1024 * 1024;

/** Approved bytes never change; of everything else the file tells whether it is still the same. */
function keyOf(plan: PlanEntry): string {
  const approved = approvedHash(plan);
  if (approved !== null) return `${approved} ${plan.title}`;
  const facts = statSync(plan.file, { throwIfNoEntry: false });
  return facts === undefined ? `${plan.revisions.at(-1)?.hash ?? ""} ${plan.at}` : `${facts.mtimeMs} ${facts.size}`;
}

/** A head of JSON with the places, then the bytes. */
async function readCache(path: string): Promise<Segment> {
  const bytes = await readRegular(path).catch(() => Buffer.alloc(0));
  const head = bytes.indexOf("\n");
  const value = head === -1 ? undefined : parseJson(bytes.toString("utf8", 0, head));
  if (!isObject(value) || !isHead(value)) return none;
  const segment: Segment = { bytes: bytes.subarray(head + 1), plans: value["plans"] as readonly Placed[] };
  return value["bytes"] === segment.bytes.length ? segment : none;
}

async function writeCache(path: string, { bytes, plans }: Segment): Promise<void> {
  const head = Buffer.from(`${JSON.stringify({ v: version, bytes: bytes.length, plans })}\n`, "utf8");
  await replaceFile(path, Buffer.concat([head, bytes]));
}

const none: Segment = { bytes: Buffer.alloc(0), plans: [] };
const version = 1;
const isHead = fields({
  v: (value) => value === version,
  bytes: number,
  plans: list(fields({ id: text, key: text, start: number, titleEnd: number, headingsEnd: number, end: number })),
});
