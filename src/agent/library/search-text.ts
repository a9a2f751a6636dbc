/** Many plans as one stretch of bytes that can be searched in one go: title, headings and body of each, folded (B5.4). */
import { headingsOf } from "../../core/plan/outline.ts";
import { fold } from "./fold.ts";

/** Where a plan lies in the bytes; each end is exclusive. */
export interface Placed {
  readonly id: string;
  /** Says whether the text is still the same. */
  readonly key: string;
  readonly start: number;
  readonly titleEnd: number;
  readonly headingsEnd: number;
  readonly end: number;
}

export interface Segment {
  readonly bytes: Buffer;
  /** In the order of the bytes. */
  readonly plans: readonly Placed[];
}

export interface SearchableText {
  readonly id: string;
  readonly key: string;
  readonly title: string;
  readonly text: string;
}

/** `most`: bytes of one plan; what is longer is searched to there. */
export function layOut(texts: readonly SearchableText[], most: number): Segment {
  const pieces: Buffer[] = [];
  const plans: Placed[] = [];
  let at = 0;
  for (const { id, key, title, text } of texts) {
    const fields = [fold(title), headingsOf(text).map(fold).join("\n"), fold(text.slice(0, most))];
    const [first, second, third] = fields.map((field) => Buffer.from(`\n${field}\n`, "utf8"));
    const titleEnd = at + first!.length;
    const headingsEnd = titleEnd + second!.length;
    const end = headingsEnd + third!.length;
    plans.push({ id, key, start: at, titleEnd, headingsEnd, end });
    pieces.push(first!, second!, third!);
    at = end;
  }
  return { bytes: Buffer.concat(pieces), plans };
}

/** The same plans, in other bytes. */
export function moved(segment: Segment, wanted: readonly Placed[]): Segment {
  const pieces = wanted.map(({ start, end }) => segment.bytes.subarray(start, end));
  let at = 0;
  const plans = wanted.map((plan) => {
    const by = at - plan.start;
    at += plan.end - plan.start;
    return shifted(plan, by);
  });
  return { bytes: Buffer.concat(pieces), plans };
}

export function joined(one: Segment, other: Segment): Segment {
  const plans = other.plans.map((plan) => shifted(plan, one.bytes.length));
  return { bytes: Buffer.concat([one.bytes, other.bytes]), plans: [...one.plans, ...plans] };
}

function shifted(plan: Placed, by: number): Placed {
  const { start, titleEnd, headingsEnd, end } = plan;
  return { ...plan, start: start + by, titleEnd: titleEnd + by, headingsEnd: headingsEnd + by, end: end + by };
}
