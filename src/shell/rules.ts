/** Every rule by the name of its command. */
import type { Rule, Table } from "./call.ts";
import { builtins } from "./commands/builtins.ts";
import { files } from "./commands/files.ts";
import { gitTable } from "./commands/git.ts";
import { mac } from "./commands/mac.ts";
import { packages } from "./commands/packages.ts";
import { search } from "./commands/search.ts";
import { services } from "./commands/services.ts";
import { system } from "./commands/system.ts";
import { text } from "./commands/text.ts";
import { toolchain } from "./commands/toolchain.ts";
import { wrappers } from "./commands/wrappers.ts";

/** A later family is more exact about a name than an earlier one. */
const families: readonly Table[] = [
  wrappers,
  toolchain,
  files,
  text,
  search,
  system,
  mac,
  packages,
  services,
  gitTable,
  builtins,
];

const rules: ReadonlyMap<string, string | Rule> = new Map(families.flatMap((family) => Object.entries(family)));

export function ruleFor(name: string): string | Rule | undefined {
  return rules.get(name);
}
