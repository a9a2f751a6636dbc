/** Which version of a client is on PATH, as it says itself: asked in a home of its own, within bounds. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../agent/host/launch/find-program.ts";
import { searchPath } from "../../agent/host/launch/search-path.ts";
import { runBounded } from "./run-bounded.ts";

export interface FoundClient {
  readonly program: string;
  /** Null where it does not say. */
  readonly version: string | null;
}

export interface ClientSearch {
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
}

/** Null where there is none. */
export async function findClient({ program, environment, directory }: ClientSearch): Promise<FoundClient | null> {
  const path = searchPath({ path: environment["PATH"], directories: [directory], home: environment["HOME"] });
  const found = findProgram(program, path);
  if (found === null) return null;
  const home = await mkdtemp(join(tmpdir(), "groundplan-version-"));
  try {
    const { code, stdout } = await runBounded({
      program: found,
      args: ["--version"],
      directory: home,
      environment: { PATH: path, HOME: home, XDG_CONFIG_HOME: home, TMPDIR: environment["TMPDIR"], LANG: "C.UTF-8" },
      timeoutMs: 15_000,
    });
    return { program: found, version: code === 0 ? (/\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0] ?? null) : null };
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
