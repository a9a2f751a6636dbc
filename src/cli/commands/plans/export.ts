/** `groundplan plans export`: exactly the approved bytes, or a file to read them in, with what was decided and said. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { LoadedPlan } from "../../../agent/library/load-plan.ts";
import { approvedHash } from "../../../core/plan/ledger.ts";
import { makeVisible } from "../../../core/wire/visible.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { answerPaged } from "../../pager.ts";
import { chosenText, load, noRevision } from "./chosen.ts";
import type { PlansRequest } from "./request.ts";

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
    await writeFile(path, text, { flag: force ? "w" : "wx" });
    return 0;
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    const why = isThere ? "is there already; --force writes over it." : `cannot be written: ${String(error)}`;
    return complain(streams, `${path} ${why}`, 1);
  }
}
