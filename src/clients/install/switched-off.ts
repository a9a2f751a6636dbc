/** Hooks that a client does not run at all, by a setting of the person or of the project: no entry can stand against that, so it is told. */
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { textAt } from "../../agent/host/files/read-regular.ts";
import { isObject } from "../../core/wire/shape.ts";
import type { ClientName } from "../client.ts";
import { isOurCommand } from "./entries.ts";
import { placeOf, type PersonalHome } from "./places.ts";

export interface SwitchQuestion {
  readonly agent: ClientName;
  readonly person: PersonalHome;
  /** The project that one is in. */
  readonly root: string;
}

/** A sentence for each file that does so. */
export function switchedOff({ agent, person, root }: SwitchQuestion): readonly string[] {
  const { title, projectFile, userFile } = placeOf(agent);
  const folders = [dirname(userFile(person)), join(root, dirname(projectFile))];
  const { names, settingIn } = switches[agent];
  const files = new Set(folders.flatMap((folder) => names.map((name) => join(folder, name))));
  return [...files].flatMap((file) => {
    const setting = settingIn(textAt(file, { limit: 4_000_000 }) ?? "");
    return setting === null ? [] : [`${file} says ${setting}: ${title} then runs no hook of ours in this project.`];
  });
}

interface Switch {
  readonly names: readonly string[];
  /** The setting that switches them off; null where none does. */
  readonly settingIn: (text: string) => string | null;
}

const switches: Readonly<Record<ClientName, Switch>> = {
  claude: {
    names: ["settings.json", "settings.local.json"],
    settingIn: (text) => (objectIn(text)["disableAllHooks"] === true ? "disableAllHooks" : null),
  },
  codex: {
    names: ["config.toml"],
    settingIn: (text) => /^\s*(?:features\.)?(?:codex_)?hooks\s*=\s*false\b/m.exec(text)?.[0].trim() ?? null,
  },
  /** A plugin is left out by nothing that a project can write. */
  opencode: { names: [], settingIn: () => null },
  gemini: {
    names: ["settings.json"],
    settingIn(text) {
      const { hooksConfig } = objectIn(text);
      if (!isObject(hooksConfig)) return null;
      const { enabled, disabled } = hooksConfig;
      if (enabled === false) return "hooksConfig.enabled: false";
      const isOurs = Array.isArray(disabled) && disabled.some((name) => isOurCommand(name, "gemini"));
      return isOurs ? "hooksConfig.disabled" : null;
    },
  },
};

/** Commas too many and comments count nowhere less than what stands between them. */
function objectIn(text: string): Readonly<Record<string, unknown>> {
  const found: unknown = parse(text.replace(/^\uFEFF/, ""));
  return isObject(found) ? found : {};
}
