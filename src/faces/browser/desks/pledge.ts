/** A promise that is kept from outside; only the first time counts. */

export interface Pledge<Value> {
  readonly promise: Promise<Value>;
  readonly keep: (value: Value) => void;
}

export function pledge<Value>(): Pledge<Value> {
  const keepers: ((value: Value) => void)[] = [];
  const promise = new Promise<Value>((resolve) => void keepers.push(resolve));
  return { promise, keep: (value) => keepers.forEach((resolve) => resolve(value)) };
}
