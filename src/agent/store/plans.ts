/** Plan files: claiming a name for certain, reading what was submitted, writing what a person edited (section 3). */
import { posix } from "node:path";
import { errorText } from "../../core/error-text.ts";
import type { Event } from "../../core/event.ts";
import type { Evidence } from "../../core/plan/ledger.ts";
import { isBlank } from "../../core/plan/hash.ts";
import { filesNamedIn } from "../../core/plan/outline.ts";
import { planFileName } from "../../core/plan/location.ts";
import { slugTries, taskSlug, withSuffix, wordsSlug } from "../../core/plan/slug.ts";
import { fileStates } from "./file-states.ts";
import type { Host } from "../ports/host.ts";

export interface Plans {
  claim(task: string | null): Promise<Extract<Event, { type: "plan-claimed" | "plan-claim-failed" }>>;
  /** The content, or null where there is none; any other error is logged and gives null (R3.4). */
  read(file: string): Promise<string | null>;
  submitted(callId: string, file: string): Promise<Extract<Event, { type: "plan-read" }>>;
  write(callId: string, file: string, text: string): Promise<Extract<Event, { type: "plan-written" }>>;
  /** The session ends: names under which nothing was written are free again. */
  letGo(): void;
}

/** The folder of the plans is made when the first one is written. */
export interface PlansOptions extends Pick<
  Host,
  "files" | "clock" | "plansDirectory" | "planNames" | "roots" | "origin" | "report"
> {
  /** What changed in the work tree since plan mode began (B1.6). */
  readonly changed?: () => Promise<readonly string[]>;
}

export function createPlans(options: PlansOptions): Plans {
  const { files, clock, plansDirectory, report } = options;
  /** Names that are kept for plans of this session, by plan file. */
  const kept = new Map<string, string>();

  /** A file is made when there is something to write: until then its name is kept beside it, for this session alone. */
  const keepName = async (file: string): Promise<boolean> => {
    const claim = posix.join(plansDirectory, ".claims", posix.basename(file, ".md"));
    if ((await files.stat(file)) !== null || !(await files.claim(claim))) return false;
    if ((await files.stat(file)) === null) {
      kept.set(file, claim);
      return true;
    }
    files.release?.(claim);
    return false;
  };
  const letGo = (file: string): void => {
    const claim = kept.get(file);
    if (claim !== undefined) files.release?.(claim);
    kept.delete(file);
  };

  const read = async (file: string): Promise<string | null> => {
    try {
      const stat = await files.stat(file);
      if (stat === null) return null;
      if (stat.kind !== "file") throw new Error(`it is ${kindWords[stat.kind]}, not a file`);
      letGo(file);
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await files.readBytes(file));
    } catch (error) {
      report(`The plan ${file} cannot be read: ${errorText(error)}`);
      return null;
    }
  };

  const claim: Plans["claim"] = async (task) => {
    try {
      for (let tried = 0; ; tried += 1) {
        const name = nameFor(task, options);
        const slug = tried < slugTries ? name : withSuffix(name, clock.random);
        const file = posix.join(plansDirectory, planFileName(slug) ?? `${wordsSlug(clock.random)}.md`);
        if (await keepName(file)) return { type: "plan-claimed", slug, file, origin: await options.origin() };
      }
    } catch (error) {
      return { type: "plan-claim-failed", error: errorText(error) };
    }
  };

  return {
    claim,
    read,
    letGo: () => [...kept.keys()].forEach(letGo),
    async submitted(callId, file) {
      const text = await read(file);
      const at = clock.now();
      if (text === null || isBlank(text)) return { type: "plan-read", callId, text, at };
      const [evidence, changed] = await Promise.all([evidenceFor(text, options), options.changed?.() ?? []]);
      return { type: "plan-read", callId, text, at, evidence, changed };
    },
    async write(callId, file, text) {
      try {
        await files.writeText(file, text, { mode: 0o600 });
        return { type: "plan-written", callId };
      } catch (error) {
        return { type: "plan-written", callId, error: errorText(error) };
      }
    },
  };
}

const kindWords = { directory: "a folder", symlink: "a symbolic link", other: "a pipe or a device" } as const;

function nameFor(task: string | null, { planNames, clock }: PlansOptions): string {
  if (planNames === "words" || task === null) return wordsSlug(clock.random);
  return taskSlug(task, new Date(clock.now()).toISOString().slice(0, 10), clock.random);
}

/** B5.5: the commit and the hashes of the files that the plan names. */
async function evidenceFor(text: string, { files, roots, origin }: PlansOptions): Promise<Evidence> {
  const { commit } = await origin();
  const named = filesNamedIn(text).slice(0, 200);
  return { commit, files: await fileStates(named, { files, projectRoot: roots[0] }) };
}
