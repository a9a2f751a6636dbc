/** Our entries in random settings texts: every byte of others stays, and comes back alone. */
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { clientTable } from "../../src/clients/table.ts";
import { entriesOf, entryCommand } from "../../src/clients/install/entries.ts";
import { hasEntries, withEntries, withoutEntries } from "../../src/clients/install/hooks-text.ts";
import { numbers } from "./random-settings.ts";

const place = { launcher: '"/home/a b/.groundplan/bin/guard"', file: ".claude/settings.json" };
const entries = entriesOf("claude", place);

function edited(made: ReturnType<typeof withEntries>): { readonly text: string; readonly put: readonly string[] } {
  if (made.kind === "problem") throw new Error(made.problem);
  return made;
}

test.each(["claude", "codex", "gemini"] as const)(
  "B11.4 %s waits for a judge whom a busy machine holds up",
  (agent) => {
    const limits = entriesOf(agent, place).filter(({ event }) => /^(?:PreToolUse|BeforeTool)$/.test(event));
    expect(limits.length).toBeGreaterThan(0);
    expect(limits.every(({ timeout }) => timeout >= 600)).toBe(true);
  },
);

describe("entries in a text", () => {
  test("B11.1 whatever the text is: nothing of it is lost, twice is once, and out again gives the same bytes", () => {
    for (let seed = 1; seed <= 1500; seed += 1) {
      const before = numbers(seed).settings();
      const { text, put } = edited(withEntries(before, entries));
      const where = `seed ${seed}: ${before}`;
      expect(hasEntries(text, "claude", entries), where).toBe(true);
      expect(takenOut(text, put), where).toBe(before);
      expect(edited(withoutEntries(text, "claude", put)).text, where).toBe(before);
    }
  });

  test("B11.1 without what was kept of it the meaning comes back, and every comment stays", () => {
    for (let seed = 1; seed <= 1500; seed += 1) {
      const before = numbers(seed).settings();
      const { text } = edited(withEntries(before, entries));
      const after = edited(withoutEntries(text, "claude")).text;
      const where = `seed ${seed}: ${before}\n---\n${after}`;
      expect(bare(after), where).toEqual(bare(before));
      expect(commentsIn(after), where).toEqual(commentsIn(before));
    }
  });

  test("B11.1 as settings are usually written, the bytes come back without what was kept", () => {
    const usual = [
      {},
      { model: "a" },
      { hooks: { Stop: [{ hooks: [] }] }, b: 1 },
      { permissions: { allow: ["Bash"] } },
    ];
    for (const value of usual.slice(1)) {
      for (const indent of [2, 4, "\t"]) {
        const before = `${JSON.stringify(value, null, indent)}\n`;
        const { text } = edited(withEntries(before, entries));
        expect(edited(withoutEntries(text, "claude")).text).toBe(before);
      }
    }
  });

  test("B11.1 written into nothing, they are plain JSON", () => {
    const { text } = edited(withEntries("", entries));
    expect(Object.keys((JSON.parse(text) as { hooks: object }).hooks)).toEqual(events("claude"));
    expect(text.endsWith("}\n")).toBe(true);
  });

  test.each(["claude", "codex", "gemini"] as const)(
    "B11.1 %s: an entry for each event of its row, and no other",
    (agent) => {
      const found = entriesOf(agent, place).map(({ event }) => event);
      expect([...new Set(found)].toSorted()).toEqual(events(agent).toSorted());
    },
  );

  test("B11.1 an entry's text is the same in every release: clients ask for trust again when it changes", () => {
    const tool = entryCommand({ agent: "claude", event: "PreToolUse" }, place);
    expect(tool).toBe(
      `exec /bin/sh -c 'g="/home/a b/.groundplan/bin/guard"; [ -s "$g" ] && exec sh "$g" hook claude PreToolUse; command -v groundplan >/dev/null && exec groundplan hook claude PreToolUse; case "$(grep -oE ".permission_mode. *: *.[A-Za-z]+.")" in ""|*plan*) echo "Groundplan guards plan mode here, and its program was not found: refused. Tell the person: install Groundplan and run groundplan install claude, or take its entries out of .claude/settings.json." >&2; exit 2;; esac; exit 0'`,
    );
    expect(entryCommand({ agent: "codex", event: "Stop" }, place)).toBe(
      `exec /bin/sh -c 'g="/home/a b/.groundplan/bin/guard"; [ -s "$g" ] && exec sh "$g" hook codex Stop; command -v groundplan >/dev/null && exec groundplan hook codex Stop; exit 0'`,
    );
  });

  test("B11.1 every shell reads an entry the same: one word in single quotes, without a backslash", () => {
    for (const agent of ["claude", "codex", "gemini"] as const)
      for (const { command } of entriesOf(agent, place)) expect(command).toMatch(/^exec \/bin\/sh -c '[^'\\\n!]+'$/);
  });
});

function events(agent: string): string[] {
  return [...clientTable.find(({ name }) => name === agent)!.events];
}

function takenOut(text: string, put: readonly string[]): string {
  return put.reduce((rest, one) => {
    expect(rest.split(one)).toHaveLength(2);
    return rest.split(one).join("");
  }, text);
}

/** Lists of events that are empty, and `hooks` with nothing in it, may be there or not. */
function bare(text: string): unknown {
  const value = (parse(text, [], { allowTrailingComma: true }) ?? {}) as { hooks?: Record<string, unknown[]> };
  const left = Object.entries(value.hooks ?? {}).filter(([, groups]) => groups.length > 0);
  const { hooks: _, ...rest } = value;
  return left.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(left) };
}

function commentsIn(text: string): readonly string[] {
  return text.match(/\/\* c\d+ \*\/|\/\/ c\d+/g) ?? [];
}
