/** The side question of auto mode: everything that others wrote goes in as one quoted JSON document. */
import type { Prompts } from "../index.ts";

export interface QuotedTurn {
  readonly from: "user" | "agent" | "tool" | "summary";
  readonly tool?: string;
  readonly text: string;
}

export interface SideFacts {
  readonly call: { readonly tool: string; readonly input: unknown; readonly touches: unknown };
  /** Why it is in question. */
  readonly asked: string;
  /** The person's last messages, oldest first. */
  readonly user: readonly string[];
  readonly turns: readonly QuotedTurn[];
}

export interface SideQuestion {
  readonly system: string;
  readonly text: string;
}

export function sideQuestion(prompts: Prompts, { call, asked, user, turns }: SideFacts): SideQuestion {
  const quoted = quoteJson({ call, asked, user, turns });
  return { system: prompts("auto/classifier"), text: prompts("auto/question", { quoted }) };
}

/** JSON in which nothing can close the quotation, nor hide from the eye. */
function quoteJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<>]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()].map((at) => escaped(character.charCodeAt(at))).join(""),
  );
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
