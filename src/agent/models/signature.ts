/** A provider's own proof on a part of a reply: kept with the part, given back only to the model that made it. */
import type { SharedV3ProviderMetadata } from "@ai-sdk/provider";
import { isObject } from "../../core/wire/shape.ts";
import { fieldOf, textOf } from "./record.ts";

export interface Signature {
  /** Who made the part: wire and model, `anthropic/claude-x`. */
  readonly from: string;
  readonly proof?: SharedV3ProviderMetadata;
}

export function sign(from: string, proof: SharedV3ProviderMetadata | undefined): Signature {
  return proof === undefined ? { from } : { from, proof };
}

/** Undefined when the part was made by another model: its proof would be refused. */
export function readSignature(signature: unknown, from: string): Signature | undefined {
  return isSignature(signature) && signature.from === from ? signature : undefined;
}

function isSignature(value: unknown): value is Signature {
  const proof = fieldOf(value, "proof");
  return textOf(value, "from") !== "" && (proof === undefined || Object.values(proof ?? {}).every(isObject));
}

/** Later proofs of the same part complete or replace the earlier ones. */
export function mergeProofs(
  earlier: SharedV3ProviderMetadata | undefined,
  later: SharedV3ProviderMetadata | undefined,
): SharedV3ProviderMetadata | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const names = new Set([...Object.keys(earlier), ...Object.keys(later)]);
  return Object.fromEntries([...names].map((name) => [name, { ...earlier[name], ...later[name] }]));
}
