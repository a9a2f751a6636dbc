/** A client's settings text with our entries in it, and without them: whatever else stands there keeps every byte. */
import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, getNodeValue, parseTree, type Node } from "jsonc-parser";
import type { ClientName } from "../client.ts";
import { eventsOfEntries, groupOf, isOurCommand, type ClientEntry } from "./entries.ts";
import { insertInto, readTree, withInsertions, type Insertion, type NewItem } from "./json-insert.ts";
import { withoutNode } from "./json-remove.ts";

export type Edited =
  | { readonly kind: "text"; readonly text: string; readonly put: readonly string[] }
  /** Nothing is to be written. */
  | { readonly kind: "problem"; readonly problem: string };

/** `put`: the texts that were inserted, by which they can be taken out again. The text must not have entries of ours. */
export function withEntries(text: string, entries: readonly ClientEntry[]): Edited {
  if (text.trim() === "") {
    const fresh = `${JSON.stringify({ hooks: eventsOf(entries) }, null, 2)}\n`;
    return { kind: "text", text: text + fresh, put: [fresh] };
  }
  const tree = readTree(text);
  const problem = tree === null ? "it is not JSON" : problemOf(tree, entries);
  if (tree === null || problem !== null) return { kind: "problem", problem: problem ?? "" };
  const insertions = insertionsFor(text, tree, entries);
  const made = withInsertions(text, insertions);
  const isWhole = isDeepStrictEqual(valueOf(made), mergedWith(valueOf(text), entries));
  if (!isWhole) return { kind: "problem", problem: "our entries cannot be put into it without touching the rest" };
  return { kind: "text", text: made, put: insertions.map(({ text: put }) => put) };
}

function insertionsFor(text: string, tree: Node, entries: readonly ClientEntry[]): readonly Insertion[] {
  const hooks = findNodeAtLocation(tree, ["hooks"]);
  const byEvent = Object.entries(eventsOf(entries));
  if (hooks === undefined) return [insertInto(text, tree, [{ key: "hooks", value: eventsOf(entries) }])];
  const fresh: NewItem[] = [];
  const insertions: Insertion[] = [];
  for (const [event, groups] of byEvent) {
    const list = findNodeAtLocation(hooks, [event]);
    if (list === undefined) fresh.push({ key: event, value: groups });
    else
      insertions.push(
        insertInto(
          text,
          list,
          groups.map((value) => ({ value })),
        ),
      );
  }
  return fresh.length === 0 ? insertions : [...insertions, insertInto(text, hooks, fresh)];
}

/** In the order in which they come. */
function eventsOf(entries: readonly ClientEntry[]): Record<string, object[]> {
  const events: Record<string, object[]> = {};
  for (const entry of entries) (events[entry.event] ??= []).push(groupOf(entry));
  return events;
}

/** What stands where ours must go, and is not what the client itself would understand. */
function problemOf(tree: Node, entries: readonly ClientEntry[]): string | null {
  if (tree.type !== "object") return "it is not a JSON object";
  const hooks = findNodeAtLocation(tree, ["hooks"]);
  const events = new Set(entries.map(({ event }) => event));
  const twice = twiceIn(tree, new Set(["hooks"])) ?? (hooks?.type === "object" ? twiceIn(hooks, events) : null);
  if (twice !== null) return `${JSON.stringify(twice)} stands in it twice`;
  if (hooks === undefined) return null;
  if (hooks.type !== "object") return `"hooks" in it is not an object`;
  const wrong = [...events].find((event) => !["array", undefined].includes(findNodeAtLocation(hooks, [event])?.type));
  return wrong === undefined ? null : `"hooks.${wrong}" in it is not a list`;
}

function twiceIn(node: Node, names: ReadonlySet<string>): string | null {
  const found = (node.children ?? []).map((property) => String(property.children?.[0]?.value));
  return found.find((name, index) => names.has(name) && found.indexOf(name) !== index) ?? null;
}

/** `put`: what `withEntries` said, or nothing where that is not known any more. `made`: whether `hooks` and events that become empty go. */
export function withoutEntries(text: string, agent: ClientName, put: readonly string[] = []): Edited {
  const tree = text.trim() === "" ? undefined : readTree(text);
  if (tree === null) return { kind: "problem", problem: "it is not JSON" };
  if (tree === undefined || oursIn(tree, agent).length === 0) return { kind: "text", text, put: [] };
  const exact = withoutPut(text, put);
  if (exact !== null && isWithout(exact, text, agent)) return { kind: "text", text: exact, put: [] };
  const cut = cutOut(text, agent);
  if (isWithout(cut, text, agent)) return { kind: "text", text: cut, put: [] };
  return { kind: "problem", problem: "our entries cannot be taken out of it without touching the rest" };
}

/** Each inserted text once, taken out where it stands; null where one is not there as it was. */
function withoutPut(text: string, put: readonly string[]): string | null {
  let rest = text;
  for (const one of put) {
    const at = rest.indexOf(one);
    if (at < 0 || rest.includes(one, at + 1)) return null;
    rest = rest.slice(0, at) + rest.slice(at + one.length);
  }
  return put.length === 0 ? null : rest;
}

/** One after the other, each found anew; lists, events and `hooks` that become empty by it go with it. */
function cutOut(text: string, agent: ClientName): string {
  let rest = text;
  for (;;) {
    const tree = readTree(rest);
    const handler = tree === null ? undefined : oursIn(tree, agent)[0];
    if (handler === undefined) return rest;
    rest = withoutNode(rest, largestEmptied(rest, handler));
  }
}

/** handler ⊂ hooks list ⊂ group ⊂ event's list ⊂ event ⊂ `hooks`: as far up as nothing else is in it, a comment neither. */
function largestEmptied(text: string, handler: Node): Node {
  const group = handler.parent!.parent!.parent!;
  if (!isAlone(text, handler, handler.parent!)) return handler;
  const list = group.parent!;
  if (!isAlone(text, group, list)) return group;
  const event = list.parent!;
  if (!isAlone(text, event, event.parent!)) return event;
  return event.parent!.parent!;
}

function isAlone(text: string, child: Node, parent: Node): boolean {
  const before = text.slice(parent.offset, child.offset);
  const after = text.slice(child.offset + child.length, parent.offset + parent.length);
  return parent.children!.length === 1 && !/\/[/*]/.test(before + after);
}

/** The handlers that are ours, wherever somebody put them. */
export function oursIn(tree: Node, agent: ClientName): readonly Node[] {
  const events = findNodeAtLocation(tree, ["hooks"]);
  if (events?.type !== "object") return [];
  const groups = (events.children ?? []).flatMap((event) => listOf(event.children?.[1]));
  return groups
    .flatMap((group) => (group.type === "object" ? listOf(findNodeAtLocation(group, ["hooks"])) : []))
    .filter((one) => one.type === "object")
    .filter((one) => isOurCommand(findNodeAtLocation(one, ["command"])?.value, agent));
}

function listOf(node: Node | undefined): readonly Node[] {
  return node?.type === "array" ? (node.children ?? []) : [];
}

/** Every entry stands there as it would be written, and no other of ours does. */
export function hasEntries(text: string, agent: ClientName, entries: readonly ClientEntry[]): boolean {
  const tree = text.trim() === "" ? null : readTree(text);
  if (tree === null) return false;
  const found = oursIn(tree, agent).map((handler) => {
    const group = handler.parent!.parent!.parent!;
    return { event: group.parent!.parent!.children![0]!.value, group: plainOf(group) };
  });
  const wanted = entries.map((entry) => ({ event: entry.event, group: groupOf(entry) }));
  return found.length === wanted.length && wanted.every((one) => found.some((other) => isDeepStrictEqual(one, other)));
}

/** The events in which nothing of ours stands any more, or not for all tools that it should; whatever home or release wrote it. */
export function missingEvents(text: string, agent: Exclude<ClientName, "opencode">): readonly string[] {
  const tree = readTree(text);
  const found = tree === null ? [] : oursIn(tree, agent).map(placeOfHandler);
  return eventsOfEntries(agent)
    .filter(
      ({ event, matcher }) =>
        !found.some((one) => one.event === event && ["", "*", matcher ?? "*"].includes(one.matcher)),
    )
    .map(({ event }) => event);
}

function placeOfHandler(handler: Node): { readonly event: string; readonly matcher: string } {
  const group = handler.parent!.parent!.parent!;
  const matcher: unknown = findNodeAtLocation(group, ["matcher"])?.value ?? "*";
  return { event: String(group.parent!.parent!.children![0]!.value), matcher: String(matcher) };
}

function isWithout(rest: string, text: string, agent: ClientName): boolean {
  const tree = rest.trim() === "" ? null : readTree(rest);
  if (rest.trim() !== "" && (tree === null || oursIn(tree, agent).length > 0)) return false;
  return isDeepStrictEqual(bare(valueOf(rest)), bare(withoutOurs(valueOf(text), agent)));
}

function withoutOurs(value: unknown, agent: ClientName): unknown {
  if (!isRecord(value) || !isRecord(value["hooks"])) return value;
  const keep = (group: unknown): unknown[] => {
    if (!isRecord(group) || !Array.isArray(group["hooks"])) return [group];
    const hooks = group["hooks"].filter((one) => !isRecord(one) || !isOurCommand(one["command"], agent));
    return hooks.length === 0 && group["hooks"].length > 0 ? [] : [{ ...group, hooks }];
  };
  const events = Object.entries(value["hooks"]).map(([event, groups]) => [
    event,
    Array.isArray(groups) ? groups.flatMap(keep) : groups,
  ]);
  return { ...value, hooks: Object.fromEntries(events) as unknown };
}

/** Without lists of events that are empty, and without `hooks` where nothing is left: those may be there or not. */
function bare(value: unknown): unknown {
  if (value === undefined) return {};
  if (!isRecord(value) || !isRecord(value["hooks"])) return value;
  const events = Object.entries(value["hooks"]).filter(([, groups]) => !Array.isArray(groups) || groups.length > 0);
  const { hooks: _, ...rest } = value;
  return events.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(events) };
}

function mergedWith(value: unknown, entries: readonly ClientEntry[]): unknown {
  if (!isRecord(value)) return value;
  const hooks: Record<string, unknown> = isRecord(value["hooks"]) ? { ...value["hooks"] } : {};
  for (const [event, groups] of Object.entries(eventsOf(entries)))
    hooks[event] = [...(Array.isArray(hooks[event]) ? (hooks[event] as unknown[]) : []), ...groups];
  return { ...value, hooks };
}

function valueOf(text: string): unknown {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  return tree === undefined ? undefined : plainOf(tree);
}

/** The library's objects have no prototype, and are equal to none that have one. */
function plainOf(node: Node): unknown {
  return structuredClone(getNodeValue(node));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
