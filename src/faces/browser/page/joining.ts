/** What two tabs say of one plan, put together: of each thing counts what was changed since they had it in common. */
import { noWords, type UnsentWords } from "./state.ts";

/** `mine` itself, where the other tab changed nothing. A comment that is being written stays in its own tab. */
export function joinWords(common: UnsentWords, mine: UnsentWords, theirs: UnsentWords): UnsentWords {
  const [was, own, other] = [listed(common), listed(mine), listed(theirs)];
  const settled = byKey(was.resolved, own.resolved, other.resolved);
  const words: UnsentWords = {
    drafts: [...byKey(was.drafts, own.drafts, other.drafts).values()],
    replies: Object.fromEntries(byKey(was.replies, own.replies, other.replies)),
    resolved: [...settled.keys()],
    message: newer(common.message, mine.message, theirs.message),
    edit: newer(common.edit, mine.edit, theirs.edit),
    shelved: newer(common.shelved, mine.shelved, theirs.shelved),
    composer: mine.composer,
  };
  if (isSame(words, mine)) return mine;
  return isSame(words, noWords) ? noWords : words;
}

function listed({ drafts, replies, resolved }: UnsentWords) {
  return {
    drafts: new Map(drafts.map((draft) => [draft.id, draft])),
    replies: new Map(Object.entries(replies)),
    resolved: new Map(resolved.map((id) => [id, true])),
  };
}

function byKey<Value>(
  common: ReadonlyMap<string, Value>,
  mine: ReadonlyMap<string, Value>,
  theirs: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  const joined = new Map<string, Value>();
  for (const key of new Set([...mine.keys(), ...theirs.keys()])) {
    const value = newer(common.get(key), mine.get(key), theirs.get(key));
    if (value !== undefined) joined.set(key, value);
  }
  return joined;
}

function newer<Value>(common: Value, mine: Value, theirs: Value): Value {
  return isSame(mine, common) ? theirs : mine;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
