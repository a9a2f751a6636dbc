/** Every word the model reads: the names of the prompts, their slots, and a typed function that fills them. */
import { fill } from "./fill.ts";
import { clientsCageSlots } from "./slots/clients-cage.ts";
import { clientsGeminiSlots } from "./slots/clients-gemini.ts";
import { clientsOpencodeSlots } from "./slots/clients-opencode.ts";
import { clientsReviewSlots } from "./slots/clients-review.ts";
import { clientSlots } from "./slots/clients.ts";
import { entrySlots } from "./slots/entry.ts";
import { findingSlots } from "./slots/findings.ts";
import { planSlots } from "./slots/plan.ts";
import { resultSlots } from "./slots/results.ts";
import { toolSlots } from "./slots/tools.ts";
import { readText } from "./texts.ts";

export const promptSlots = {
  ...planSlots,
  ...resultSlots,
  ...toolSlots,
  ...clientSlots,
  ...clientsCageSlots,
  ...clientsGeminiSlots,
  ...clientsOpencodeSlots,
  ...clientsReviewSlots,
  ...clientSlots,
  ...entrySlots,
  ...findingSlots,
} as const;

type Table = typeof promptSlots;
export type PromptName = keyof Table;
export type Slots<Name extends PromptName> = Readonly<Record<Table[Name][number], string>>;

/** Wrong, missing or extra slots do not compile; at run time they throw. */
export type Prompts = <Name extends PromptName>(
  name: Name,
  ...values: Table[Name][number] extends never ? [] : [Slots<Name>]
) => string;

/** Files are read and cut into their sections when first used, once for each loaded instance. */
export function loadPrompts(read: (file: string) => string | undefined = readText): Prompts {
  const files = new Map<string, ReadonlyMap<string, string>>();
  const sectionsOf = (file: string): ReadonlyMap<string, string> => {
    const sections = files.get(file) ?? sectionsIn(file, read(file) ?? "");
    files.set(file, sections);
    return sections;
  };
  return (name, ...values) => {
    const text = sectionsOf(name.replace(/\/[^/]*$/, "")).get(name) ?? sectionsOf(name).get(name);
    if (text === undefined) throw new Error(`There is no prompt named ${name}.`);
    return fill(name, text, values[0] ?? {});
  };
}

/** `# name` begins the section `file/name`; what stands before the first one is the prompt `file` itself. */
export function sectionsIn(file: string, text: string): ReadonlyMap<string, string> {
  const [head = "", ...parts] = text.split(/^# ([a-z-]+)$/m);
  const sections = new Map(head.trim() === "" ? [] : [[file, head.trim()]]);
  for (let at = 0; at < parts.length; at += 2) sections.set(`${file}/${parts[at]!}`, parts[at + 1]!.trim());
  return sections;
}
