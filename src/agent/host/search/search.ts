/** The Search port: ripgrep where there is one, our own walk where there is none. */
import type { GlobQuery, Search } from "../../ports/ports.ts";
import { errnoOf } from "../files/file-error.ts";
import { hasBlockingIgnore } from "../files/ignore-files.ts";
import { createRipgrepSearch, findRipgrep } from "./ripgrep.ts";

export interface SearchOptions {
  /** The program to use; null: none; otherwise it is looked for at the first search. */
  readonly program?: string | null;
  readonly timeoutMs?: number;
}

export function createSearch({ program, timeoutMs = 20_000 }: SearchOptions = {}): Search {
  const plain = async (): Promise<Search> => (await import("./plain-search.ts")).createPlainSearch({ timeoutMs });
  let driver: Promise<Search> | undefined;
  const chosen = (): Promise<Search> => (driver ??= choose());
  const choose = async (): Promise<Search> => {
    const found = program === undefined ? await findRipgrep() : program;
    return found === null ? plain() : createRipgrepSearch({ program: found, timeoutMs });
  };
  const withFallback = async <Result>(
    { root }: Pick<GlobQuery, "root">,
    signal: AbortSignal,
    search: (by: Search) => Promise<Result>,
  ): Promise<Result> => {
    if (await hasBlockingIgnore(root)) return search(await plain());
    try {
      return await search(await chosen());
    } catch (error) {
      if (signal.aborted || errnoOf(error) === undefined) throw error;
      driver = plain();
      return search(await driver);
    }
  };
  return {
    glob: (query, signal) => withFallback(query, signal, (by) => by.glob(query, signal)),
    grep: (query, signal) => withFallback(query, signal, (by) => by.grep(query, signal)),
  };
}
