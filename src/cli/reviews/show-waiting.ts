/** `groundplan review --waiting`: the page process is asked for a link to the page of all plans that wait. */
import { askProcess, reachProcess } from "../../clients/review/page-process.ts";
import { readListLine } from "../../clients/review/wire.ts";
import { errorText } from "../../core/error-text.ts";
import { openBrowser } from "../../faces/browser/server/open.ts";
import { answer, type Streams } from "../command.ts";
import { complain, tellPerson } from "../complaint.ts";

export interface ShowWaiting {
  readonly streams: Streams;
  /** The config home. */
  readonly home: string;
  readonly opens: boolean;
}

/** The page lives on in that process: this one ends at once. */
export async function showWaiting({ streams, home, opens }: ShowWaiting): Promise<number> {
  const link = await linkFrom(home).catch((error: unknown) => ({ problem: errorText(error) }));
  if (typeof link !== "string") return complain(streams, `The page could not be had: ${link.problem}.`, 1);
  answer(streams, link);
  const problem = opens ? await openBrowser({ url: link, home }) : null;
  if (problem !== null)
    tellPerson(streams, `the browser could not be opened (${problem}); open the link above yourself`);
  return 0;
}

async function linkFrom(home: string): Promise<string> {
  const signal = AbortSignal.timeout(patienceMs);
  const place = await reachProcess({ home, signal });
  let link: string | null = null;
  const hear = (line: string): void => void (link = readListLine(line)?.link ?? link);
  await askProcess(place, { path: "/list", body: {}, signal, hear });
  if (link === null) throw new Error("it is another version's; end it, and try again");
  return link;
}

const patienceMs = 60_000;
