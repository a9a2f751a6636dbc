/** Where Claude Code keeps our plugin once it is installed. */
import { isAbsolute, dirname, join } from "node:path";
import { textAt } from "../../agent/host/files/read-regular.ts";
import { isObject, parseJson } from "../../core/wire/shape.ts";
import { placeOf, type PersonalHome } from "./places.ts";

const name = "groundplan";

export interface InstalledPlugin {
  /** Its hooks. */
  readonly file: string;
  /** False where the person switched it off. */
  readonly isOn: boolean;
}

/** Each installed copy of it, as Claude Code lists them. */
export function installedPlugins(person: PersonalHome): readonly InstalledPlugin[] {
  const settings = placeOf("claude").userFile(person);
  const listed = parseJson(textAt(join(dirname(settings), "plugins/installed_plugins.json"), bounds) ?? "");
  const plugins = isObject(listed) && isObject(listed["plugins"]) ? listed["plugins"] : {};
  const wishes = parseJson(textAt(settings, bounds) ?? "");
  const enabled = isObject(wishes) && isObject(wishes["enabledPlugins"]) ? wishes["enabledPlugins"] : {};
  return Object.entries(plugins)
    .filter(([key]) => key.split("@")[0] === name)
    .flatMap(([key, copies]) =>
      [copies].flat().map((copy) => ({ key, path: isObject(copy) ? copy["installPath"] : null })),
    )
    .flatMap(({ key, path }) => {
      if (typeof path !== "string" || !isAbsolute(path)) return [];
      return [{ file: join(path, "hooks/hooks.json"), isOn: enabled[key] !== false }];
    });
}

const bounds = { limit: 4_000_000 };
