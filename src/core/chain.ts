/** An append-only list with value semantics: appending is O(1), so that replaying a log is linear. */

export interface Chain<Item> {
  readonly length: number;
  /** May hold more than `length` items, appended by later values; read it through `items`. */
  readonly shared: Item[];
}

export function chain<Item>(...items: readonly Item[]): Chain<Item> {
  return { length: items.length, shared: [...items] };
}

export function append<Item>(list: Chain<Item>, ...added: readonly Item[]): Chain<Item> {
  if (added.length === 0) return list;
  const shared = list.shared.length === list.length ? list.shared : list.shared.slice(0, list.length);
  shared.push(...added);
  return { length: list.length + added.length, shared };
}

/** A copy: later appends do not show in it. */
export function items<Item>(list: Chain<Item>): readonly Item[] {
  return list.shared.slice(0, list.length);
}
