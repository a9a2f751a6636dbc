/** The keys of models: in no child's environment, and in nothing that is kept or sent (B1.12). */
import { providers, type Environment } from "../../models/providers.ts";

/** Names under which our providers, and others' programs, look for a key. */
export function isModelKey(name: string): boolean {
  return names.test(name) || providers.some(({ keyVariable }) => keyVariable === name.toUpperCase());
}

/** The environment without keys, also where one stands under another name. */
export function withoutModelKeys(
  environment: Readonly<Record<string, string>>,
  own: Environment = process.env,
): Record<string, string> {
  const keys = modelKeysIn(own);
  const kept = Object.entries(environment).filter(
    ([name, value]) => !isModelKey(name) && !keys.some((key) => value.includes(key)),
  );
  return Object.fromEntries(kept);
}

/** The keys themselves; what is too short to be one is left out. */
export function modelKeysIn(environment: Environment): readonly string[] {
  const values = Object.entries(environment).flatMap(([name, value = ""]) => (isModelKey(name) ? [value.trim()] : []));
  return [...new Set(values)].filter((value) => value.length >= shortestKey);
}

/** Frees plain values (as JSON knows them) of keys: each becomes asterisks. What has none is given back as it is. */
export function keyRemover(environment: Environment): <Value>(value: Value) => Value {
  const keys = modelKeysIn(environment)
    .toSorted((one, other) => other.length - one.length)
    .map((key) => JSON.stringify(key).slice(1, -1));
  if (keys.length === 0) return (value) => value;
  return (value) => {
    const text = JSON.stringify(value);
    if (!keys.some((key) => text.includes(key))) return value;
    return JSON.parse(keys.reduce((left, key) => left.replaceAll(key, mask), text)) as typeof value;
  };
}

const names =
  /^(ANTHROPIC|CLAUDE|OPENAI|AZURE_OPENAI|GEMINI|GOOGLE|GOOGLE_GEMINI|GOOGLE_GENERATIVE_AI|MISTRAL|GROQ|XAI|DEEPSEEK|OPENROUTER|TOGETHER|COHERE)_(API_KEY|AUTH_TOKEN)$/i;
const shortestKey = 8;
const mask = "********";
