/** Named actions and the keys that do them, as the setting `keybindings` may change them (B8.4). */
import { keyName, readKey, type Key } from "./key-input.ts";

export type Action = keyof typeof actions;

export interface Keys {
  /** Whether this input does the action; a key that is let go does nothing. */
  matches(input: string | Key, action: Action): boolean;
  /** How a person finds it: "shift+tab"; "" when no key does it. */
  label(action: Action): string;
  keysOf(action: Action): readonly string[];
}

export interface KeyChoice {
  readonly keys: Keys;
  /** What of the setting cannot be followed, one sentence each. */
  readonly problems: readonly string[];
}

export function chooseKeys(setting: Readonly<Record<string, string | readonly string[] | null>> = {}): KeyChoice {
  const problems: string[] = [];
  const bound = new Map<string, readonly string[]>(
    Object.entries(actions).map(([name, { keys }]) => [name, keys as readonly string[]]),
  );
  for (const [name, wish] of Object.entries(setting)) {
    const action = Object.hasOwn(actions, name) ? actions[name as Action] : undefined;
    if (action === undefined) {
      problems.push(`keybindings: there is no action "${name}"${suggestion(name)}`);
      continue;
    }
    const wishes = wish === null ? [] : typeof wish === "string" ? [wish] : wish;
    const named = wishes.map((written) => ({ written, name: keyName(written) }));
    for (const { written } of named.filter((key) => key.name === null)) {
      problems.push(`keybindings.${name}: "${written}" is not a key; write for example "shift+tab", "ctrl+o" or "f2"`);
    }
    const good = named.flatMap((key) => key.name ?? []);
    if (good.length > 0 || (wishes.length === 0 && !action.needed)) bound.set(name, good);
    else if (wishes.length === 0)
      problems.push(`keybindings.${name}: this action needs a key; it keeps ${action.keys.join(", ")}`);
  }
  return { keys: keysFrom(bound), problems: [...problems, ...clashes(bound)] };
}

/** A Windows console may send Shift+Tab as Tab: there another key cycles, too. */
export function platformKeys(platform: string): Readonly<Record<string, readonly string[]>> {
  return platform === "win32" ? { cycleMode: ["shift+tab", "alt+m"] } : {};
}

/** `where`: keys must differ within one place only. `needed`: without it there would be no way on or out. */
const actions = {
  cycleMode: { where: "session", keys: ["shift+tab"], needed: false },
  submit: { where: "session", keys: ["enter"], needed: true },
  newline: { where: "session", keys: ["shift+enter", "alt+enter", "ctrl+j"], needed: false },
  cancel: { where: "session", keys: ["escape"], needed: true },
  leave: { where: "session", keys: ["ctrl+c"], needed: true },
  endOfInput: { where: "session", keys: ["ctrl+d"], needed: false },
  externalEditor: { where: "session", keys: ["ctrl+g"], needed: false },
  expand: { where: "session", keys: ["ctrl+o"], needed: false },
  todos: { where: "session", keys: ["ctrl+t"], needed: false },
  suspend: { where: "session", keys: ["ctrl+z"], needed: false },
  redraw: { where: "session", keys: ["ctrl+l"], needed: false },
  browser: { where: "session", keys: ["ctrl+r"], needed: false },
  up: { where: "dialog", keys: ["up"], needed: true },
  down: { where: "dialog", keys: ["down"], needed: true },
  confirm: { where: "dialog", keys: ["enter"], needed: true },
  dismiss: { where: "dialog", keys: ["escape", "ctrl+c"], needed: true },
  nextField: { where: "dialog", keys: ["tab"], needed: true },
  previousField: { where: "dialog", keys: ["shift+tab"], needed: false },
  toggle: { where: "dialog", keys: ["space"], needed: true },
  pageUp: { where: "dialog", keys: ["pageup", "ctrl+b", "ctrl+u"], needed: false },
  pageDown: { where: "dialog", keys: ["pagedown", "ctrl+f", "ctrl+d"], needed: false },
  top: { where: "dialog", keys: ["home", "g"], needed: false },
  bottom: { where: "dialog", keys: ["end", "shift+g"], needed: false },
  lineUp: { where: "dialog", keys: ["k", "ctrl+up"], needed: false },
  lineDown: { where: "dialog", keys: ["j", "ctrl+down"], needed: false },
  extendUp: { where: "dialog", keys: ["shift+up"], needed: false },
  extendDown: { where: "dialog", keys: ["shift+down"], needed: false },
  comment: { where: "dialog", keys: ["c"], needed: false },
  difference: { where: "dialog", keys: ["d"], needed: false },
  editPlan: { where: "dialog", keys: ["e", "ctrl+g"], needed: false },
  remove: { where: "dialog", keys: ["delete", "backspace"], needed: false },
  resolve: { where: "dialog", keys: ["r"], needed: false },
} as const;

function keysFrom(bound: ReadonlyMap<string, readonly string[]>): Keys {
  const keysOf = (action: Action): readonly string[] => bound.get(action) ?? [];
  return {
    keysOf,
    matches(input, action) {
      const key = typeof input === "string" ? readKey(input) : input;
      return key.event !== "release" && key.event !== "paste" && key.name !== "" && keysOf(action).includes(key.name);
    },
    label: (action) => shortName(keysOf(action)[0] ?? ""),
  };
}

function shortName(key: string): string {
  return key.replace(/[a-z]+$/, (base) => shortNames[base] ?? base);
}

const shortNames: Readonly<Record<string, string>> = {
  escape: "esc",
  pageup: "pgup",
  pagedown: "pgdn",
  delete: "del",
  up: "↑",
  down: "↓",
};

function clashes(bound: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const taken = new Map<string, string>();
  return [...bound].flatMap(([name, keys]) =>
    keys.flatMap((key) => {
      const place = `${actions[name as Action].where} ${key}`;
      const other = taken.get(place);
      taken.set(place, other ?? name);
      return other === undefined || other === name ? [] : [`keybindings.${name}: "${key}" already does ${other}`];
    }),
  );
}

function suggestion(name: string): string {
  const names = Object.keys(actions);
  const bare = name.toLowerCase().replaceAll(/[-_ ]/g, "");
  const near = names.find((action) => action.toLowerCase() === bare);
  return near === undefined ? `; there are ${names.join(", ")}` : `; did you mean "${near}"?`;
}
