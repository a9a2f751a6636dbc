/** Every word the model reads: the names of the prompts, their slots, and a typed function that fills them. */
import { fill } from "./fill.ts";
import { planSlots } from "./slots/plan.ts";
import { resultSlots } from "./slots/results.ts";
import { toolSlots } from "./slots/tools.ts";
import { readText } from "./texts.ts";

export const promptSlots = { ...planSlots, ...resultSlots, ...toolSlots } as const;

type Table = typeof promptSlots;
export type PromptName = keyof Table;
export type Slots<Name extends PromptName> = Readonly<Record<Table[Name][number], string>>;

/** Wrong, missing or extra slots do not compile; at run time they throw. */
export type Prompts = <Name extends PromptName>(
  name: Name,
  ...values: Table[Name][number] extends never ? [] : [Slots<Name>]
) => string;

/** Texts are read when first used, once for each loaded instance. */
export function loadPrompts(read: (name: string) => string | undefined = readText): Prompts {
  const texts = new Map<string, string>();
  return (name, ...values) => {
    const text = texts.get(name) ?? read(name)?.trimEnd();
    if (text === undefined) throw new Error(`There is no prompt named ${name}.`);
    texts.set(name, text);
    return fill(name, text, values[0] ?? {});
  };
}
