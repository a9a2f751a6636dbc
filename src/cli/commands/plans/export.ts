/** `groundplan plans export`: exactly the approved bytes, or a file to read them in, with what was decided and said. */
import { lstat, realpath, rename, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorText } from "../../../core/error-text.ts";
import { errnoOf } from "../../../agent/host/files/file-error.ts";
import { giveName, writeBeside, type FileBeside } from "../../../agent/host/files/replace-file.ts";
import type { LoadedPlan } from "../../../agent/library/load-plan.ts";
import { approvedHash } from "../../../core/plan/ledger.ts";
import { makeVisible } from "../../../core/wire/visible.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { answerPaged } from "../../pager.ts";
import { chosenText, load, noRevision } from "./chosen.ts";
import type { PlansRequest } from "./request.ts";
import { oneLine } from "./screen.ts";

/** But for a terminal the bytes are as they are; of a plan that nobody approved, the newest. */
export async function exportPlan(request: PlansRequest): Promise<number> {
  const loaded = await load(request);
  if (typeof loaded === "number") return loaded;
  const { streams, options } = request;
  const hash = approvedHash(loaded.entry);
  if (options.revision === null && hash !== null && loaded.approved === null) {
    const file = loaded.onDisk === null ? "too" : "was changed";
    return complain(streams, `The approved bytes (${hash}) are gone: the session's log is, and the file ${file}.`, 1);
  }
  const chosen = chosenText(loaded, options.revision);
  if (chosen === null || chosen.text === "") return complain(streams, noRevision(loaded, options.revision), 1);
  if (hash === null) tellPerson(streams, "nobody approved this plan; this is its newest text.");
  else if (loaded.changedOutside && options.revision === null)
    tellPerson(streams, "the file was changed after the approval; these are the approved bytes, from the log.");
  if (!options.html) return give(request, chosen.text);
  const document = await documentOf(loaded, chosen);
  if (document === null) return complain(streams, "The page was not built into this installation (dist/page).", 1);
  return give(request, document);
}

async function documentOf(loaded: LoadedPlan, chosen: { readonly text: string; readonly revision: number | null }) {
  const [{ exportedPlan }, { drawDocument }] = await Promise.all([
    import("./exported.ts"),
    import("../../../faces/browser/export/draw-document.ts"),
  ]);
  return drawDocument(exportedPlan(loaded, chosen));
}

/** To stdout, or into a file; one that is there is kept. */
async function give({ streams, screen, directory, options }: PlansRequest, text: string): Promise<number> {
  const { output, force } = options;
  if (output === null && screen.isTerminal) return answerPaged(streams, makeVisible(text).trimEnd(), screen);
  if (output === null) {
    await new Promise<void>((done) => streams.stdout.write(text, () => done()));
    return 0;
  }
  const path = resolve(directory, output);
  try {
    await (force ? writeOver(path, text) : writeBeside({ ...fileOf(path, text), putInPlace: newName(path) }));
    return 0;
  } catch (error) {
    const isThere = !force && (await lstat(path).catch(() => null))?.isDirectory() === false;
    const why = isThere ? "is there already; --force writes over it." : await whyNot(error, path);
    return complain(streams, `${oneLine(path)} ${why}`, 1);
  }
}

async function whyNot(error: unknown, path: string): Promise<string> {
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory() === true) return "is a folder; name a file in it.";
  return `cannot be written: ${errnoOf(error) === "ENOENT" ? "there is no such folder" : errorText(error)}.`;
}

/** Whole or not at all: where the disk is full, what was there stays. */
async function writeOver(path: string, text: string): Promise<void> {
  const place = await realpath(path).catch(() => path);
  const there = await stat(place).catch(() => null);
  if (there !== null && !there.isFile()) return writeFile(place, text);
  const { fill, ...file } = fileOf(place, text);
  await writeBeside({
    ...file,
    async fill(handle) {
      if (there !== null) await handle.chmod(there.mode & 0o7777);
      await fill(handle);
    },
    putInPlace: (temporary) => rename(temporary, place),
  });
}

function newName(path: string): FileBeside["putInPlace"] {
  return async (temporary) => {
    await giveName(temporary, path);
    await unlink(temporary);
  };
}

function fileOf(path: string, text: string): Omit<FileBeside, "putInPlace"> {
  return {
    folder: dirname(path),
    mode: 0o666,
    async fill(handle) {
      await handle.writeFile(text);
      await handle.sync();
    },
  };
}
