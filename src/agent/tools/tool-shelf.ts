/** The tools that a request describes: all of them, or, where the list is large, the others by name until they are asked for (B14.2). */
import type { Event } from "../../core/event.ts";
import type { Host } from "../ports/host.ts";
import type { ToolDescription } from "../ports/model.ts";
import type { Tool } from "./tool.ts";
import { describeTools } from "./registry.ts";
import { createToolSearch } from "./tool-search.ts";

export type ToolShelf = ReturnType<typeof shelveTools>;

export interface ShelfParts {
  readonly host: Pick<Host, "prompts">;
  readonly tools: readonly Tool[];
  /** Those that the model is told of. */
  readonly told?: readonly Tool[];
  readonly system: string;
}

export function shelveTools({ host: { prompts }, tools, told = tools, system }: ShelfParts) {
  const descriptions = describeTools(told, prompts);
  const names = new Set(tools.flatMap(({ name, deferred }) => (deferred === "large-list" ? [name] : [])));
  const later = descriptions.filter(({ name }) => names.has(name));
  if (later.length === 0 || sizeOf(descriptions) + Buffer.byteLength(system) <= largest)
    return { tools, described: () => descriptions, note: () => undefined };
  const search = createToolSearch(
    later.map((description) => ({
      ...description,
      hint: tools.find(({ name }) => name === description.name)?.searchHint ?? "",
    })),
  );
  const first = [...descriptions.filter(({ name }) => !names.has(name)), ...describeTools([search], prompts)];
  const loaded = new Set<string>();
  return {
    /** What can be called, described or not. */
    tools: [...tools, search],
    /** What the next request describes: the same list, and behind it what was asked for, in that order. */
    described: () => [...first, ...[...loaded].map((name) => later.find((one) => one.name === name)!)],
    /** Hears of live events and of those of a log. */
    note(event: Event): void {
      if (event.type !== "tool-finished") return;
      for (const name of loadedBy(event.output)) if (names.has(name)) loaded.add(name);
    },
  };
}

function loadedBy(output: unknown): readonly string[] {
  const found = typeof output === "object" && output !== null && "loaded" in output ? output.loaded : [];
  return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
}

function sizeOf(descriptions: readonly ToolDescription[]): number {
  return Buffer.byteLength(JSON.stringify(descriptions));
}

/** B7.2: tools and system prompt together. */
const largest = 14 * 1024;
