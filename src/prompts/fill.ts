/** Strict slots: every `{{slot}}` gets a value, every value has a slot; values are never looked into again. */

export function fill(name: string, text: string, values: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(values));
  const filled = text.replace(slotPattern, (_, slot: string) => {
    const value = Object.hasOwn(values, slot) ? values[slot] : undefined;
    if (value === undefined) throw new Error(`The prompt ${name} needs a value for {{${slot}}}.`);
    unused.delete(slot);
    return value;
  });
  if (unused.size > 0) throw new Error(`The prompt ${name} has no slot for ${[...unused].join(", ")}.`);
  return filled;
}

const slotPattern = /\{\{(\w+)\}\}/g;
