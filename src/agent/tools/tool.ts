/** What a tool is: one row. Whatever else is known of a tool (rules, agents, screens) is derived from it. */
import type * as z from "zod";
import type { Access } from "../../core/decide/access.ts";
import type { Prompts } from "../../prompts/index.ts";
import type { LookContext, RunContext } from "../ports/host.ts";
import type { Claim, ToolOutput } from "../ports/ports.ts";

export type ClaimKind = Exclude<Access["kind"], "invalid">;

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Tool<Input = never> {
  readonly name: string;
  /** For people, where it is not the name. */
  readonly label?: string;
  /** Zod for our own; JSON Schema, as foreign servers describe theirs, is checked as well and told to the model as it is. */
  readonly input: z.ZodType<Input> | JsonSchema;
  /** Every kind of access that it may claim: a call that claims another one does not run. */
  readonly claims: readonly ClaimKind[];
  /** What the model reads about it. */
  describe?(prompts: Prompts): string;
  /** How a call is shown to people; by default its input as JSON. */
  show?(input: ShowInput): ShownResult;
  /**
   * It may be told by name alone until a search asks for it (R6.2, R7.2, B14.2): `large-list` where the list is too large for a first
   * request, `host` only in a host that loads every tool on demand (B7.2).
   */
  readonly deferred?: "large-list" | "host";
  /** A few words that a search finds it by, beside name and description. */
  readonly searchHint?: string;
  /** Both look and never change: what it would touch; what it would fail with now, before anybody is asked about it. */
  claim(input: Input, context: LookContext): Promise<Claim> | Claim;
  check?(input: Input, context: RunContext): Promise<ToolOutput | null>;
  /** Only after `decide` allowed `context.access`; uses the judged paths of it, not the ones that were asked for. */
  run(input: Input, context: RunContext): Promise<ToolOutput>;
}

/** The input as the model wrote it, which may be anything. */
export interface ShowInput {
  /** Empty where the field is not a text. */
  readonly text: (name: string) => string;
  /** As short as it can be where it is shown. */
  readonly path: (name: string) => string;
  /** Empty where the field is not a list. */
  readonly list: (name: string) => readonly unknown[];
}

export interface ShownResult {
  /** What the call is about, without the tool's name: a path, a pattern, a command. */
  readonly about?: string;
  /** The same in a few words, for a line that changes all the time. */
  readonly brief?: string;
  /**
   * What is told of the output: its lines (`text`, `matches`), the output itself though the call is not opened (`answer`), or
   * nothing where the session shows what came of it (`elsewhere`).
   */
  readonly result?: "text" | "matches" | "answer" | "elsewhere";
  /** What it writes; `before` is null where that is a whole text. */
  readonly change?: { readonly before: string | null; readonly after: string };
  readonly todos?: readonly { readonly content: string; readonly status: string }[];
}

/** Keeps the input's type between schema, claim and run, and forgets it towards the outside. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as Tool;
}

export function mayClaim({ claims }: Pick<Tool, "claims">, ...kinds: readonly ClaimKind[]): boolean {
  return kinds.some((kind) => claims.includes(kind));
}
