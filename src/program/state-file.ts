/** The program's own memory in `state.json`: folders that the person trusts, tips shown, opt-ins. */
import { realpath, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";
import { makePrivateFolder } from "../agent/host/config-home.ts";
import { whileLocked } from "../agent/host/files/lock.ts";
import { replaceFile } from "../agent/host/files/replace-file.ts";
import { parseJson } from "../core/wire/shape.ts";
import { readText } from "./settings/files.ts";

/** Keys of a newer version are kept as they are. */
const stateShape = z.looseObject({
  /** By canonical project root. */
  trust: z.record(z.string(), z.looseObject({ at: z.number() })).default({}),
  /** How often each tip was shown, and in which session of this person last. */
  tips: z.record(z.string(), z.looseObject({ shown: z.number(), session: z.number() })).default({}),
  /** Allow rules that the person gave in a dialog, by canonical project root: in the project's local file they count without trust. */
  granted: z.record(z.string(), z.array(z.string())).default({}),
  optIns: z.record(z.string(), z.boolean()).default({}),
  /** How many sessions this person has started. */
  sessions: z.number().default(0),
});

export type State = z.infer<typeof stateShape>;

export type StateFile = ReturnType<typeof openState>;

export interface StateOptions {
  readonly configHome: string;
  readonly now: () => number;
  readonly warn: (message: string) => void;
}

export function openState({ configHome, now, warn }: StateOptions) {
  const file = join(configHome, "state.json");
  const locked = <Result>(action: () => Promise<Result>): Promise<Result> => whileLocked(`${file}.lock`, action);

  const setAside = async (problem: string): Promise<State> => {
    const kept = await rename(file, `${file}.broken`).then(
      () => `it is kept as ${file}.broken`,
      (error: unknown) => `it could not be set aside: ${String(error)}`,
    );
    warn(`${file} ${problem} and is taken for empty; ${kept}.`);
    return emptyState();
  };
  const readLocked = async (): Promise<State> => {
    const found = await readState(file);
    return found.problem === null ? found.state : setAside(found.problem);
  };
  /** A damaged file counts as empty, is kept as `state.json.broken`, and `warn` hears of it. */
  const read = async (): Promise<State> => {
    const found = await readState(file);
    if (found.problem === null) return found.state;
    return locked(readLocked).catch(() => {
      warn(`${file} ${found.problem} and is taken for empty.`);
      return emptyState();
    });
  };
  /** Alone among all processes. Rejects when the config home cannot be written. */
  const update = async (change: (state: State) => State): Promise<State> => {
    await makePrivateFolder(configHome);
    return locked(async () => {
      const changed = stateShape.parse(change(await readLocked()));
      await replaceFile(file, `${JSON.stringify(changed, null, 2)}\n`);
      return changed;
    });
  };

  return {
    read,
    update,
    async isTrusted(projectRoot: string): Promise<boolean> {
      const { trust } = await read();
      return Object.hasOwn(trust, await canonical(projectRoot));
    },
    async granted(projectRoot: string): Promise<readonly string[]> {
      const { granted } = await read();
      const root = await canonical(projectRoot);
      return Object.hasOwn(granted, root) ? granted[root]! : [];
    },
    async grant(projectRoot: string, rule: string): Promise<void> {
      const root = await canonical(projectRoot);
      await update((state) => {
        const known = Object.hasOwn(state.granted, root) ? state.granted[root]! : [];
        return { ...state, granted: { ...state.granted, [root]: [...new Set([...known, rule])] } };
      });
    },
    /** That folder alone: neither those above nor those below. */
    async trust(projectRoot: string): Promise<void> {
      const root = await canonical(projectRoot);
      await update((state) => ({ ...state, trust: { ...state.trust, [root]: { at: now() } } }));
    },
  };
}

type ReadState = { readonly state: State; readonly problem: null } | { readonly problem: string };

async function readState(file: string): Promise<ReadState> {
  const found = await readText(file);
  if (found.kind === "missing") return { state: emptyState(), problem: null };
  if (found.kind === "failed") return { problem: `cannot be used (${found.message})` };
  const checked = stateShape.safeParse(parseJson(found.text));
  return checked.success ? { state: checked.data, problem: null } : { problem: "is damaged" };
}

function emptyState(): State {
  return stateShape.parse({});
}

function canonical(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
