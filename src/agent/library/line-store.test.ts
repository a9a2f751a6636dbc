import { appendFileSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLineStore, type LineStore } from "./line-store.ts";
import { remove } from "../../../test/support/remove.ts";

interface Item {
  readonly key: string;
  readonly at: number;
}

let folder = "";
let path = "";
let store: LineStore<Item>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "groundplan-lines-"));
  path = join(folder, "deep", "items.jsonl");
  store = createLineStore<Item>({
    path,
    encode: (item) => JSON.stringify(item),
    decode: (line) => {
      try {
        const value = JSON.parse(line) as Item;
        return typeof value.key === "string" ? value : null;
      } catch {
        return null;
      }
    },
    keyOf: ({ key }) => key,
    prefer: (one, other) => (one !== undefined && one.at > other.at ? one : other),
  });
});
afterEach(() => remove(folder));

const values = async (): Promise<readonly Item[]> => [...(await store.read()).values.values()];

describe("lines of many", () => {
  test("B5.3 what is missing is empty; what is appended is there, for this person alone", async () => {
    expect(await store.read()).toEqual({ values: new Map(), lines: 0, broken: 0, isMissing: true });
    await store.append([]);
    await store.append([{ key: "a", at: 1 }]);
    expect(await values()).toEqual([{ key: "a", at: 1 }]);
    expect([statSync(path).mode & 0o777, statSync(join(folder, "deep")).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  test("B5.3 of one key the later counts, whichever line came first", async () => {
    await store.append([{ key: "a", at: 2 }]);
    await store.append([
      { key: "a", at: 1 },
      { key: "b", at: 1 },
    ]);
    expect(await values()).toEqual([
      { key: "a", at: 2 },
      { key: "b", at: 1 },
    ]);
    expect(await store.read()).toMatchObject({ lines: 3, broken: 0 });
  });

  test("B5.3 a torn line spoils nothing but itself, and the next one begins anew", async () => {
    await store.append([{ key: "a", at: 1 }]);
    appendFileSync(path, '{"key":"torn');
    await store.append([{ key: "b", at: 1 }]);
    expect(await values()).toEqual([
      { key: "a", at: 1 },
      { key: "b", at: 1 },
    ]);
    expect(await store.read()).toMatchObject({ lines: 3, broken: 1 });
  });

  test("B5.3 twenty at once lose nothing, rewriting among them", async () => {
    const writers = Array.from({ length: 20 }, (_, at) =>
      at % 5 === 4 ? store.rewrite((now) => now.values()) : store.append([{ key: `k${at}`, at }]),
    );
    await Promise.all(writers);
    expect((await values()).length).toBe(16);
  });

  test("B5.3 rewriting keeps the later of each key and drops what cannot be read", async () => {
    await store.append([
      { key: "a", at: 1 },
      { key: "a", at: 2 },
    ]);
    appendFileSync(path, "rubbish\n");
    await store.rewrite((now) => now.values());
    expect(readFileSync(path, "utf8")).toBe('{"key":"a","at":2}\n');
  });

  test("B5.3 what cannot be written says so and harms nothing", async () => {
    writeFileSync(join(folder, "deep"), "a file in the way");
    await expect(store.append([{ key: "a", at: 1 }])).rejects.toThrow();
    expect(readFileSync(join(folder, "deep"), "utf8")).toBe("a file in the way");
  });
});
