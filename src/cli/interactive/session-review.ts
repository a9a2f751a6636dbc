/** The review page of an interactive session: its parts are loaded when a plan is first reviewed, or the page is first wanted. */
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { Happening, SessionHandle } from "../../agent/ports/handle.ts";
import { configHome, homeDirectory } from "../../agent/host/config-home.ts";
import { reviewsFolder } from "../../agent/answers/kept-answers.ts";
import { nobody } from "../../agent/answers/persons.ts";
import { sayPlanWords } from "../../agent/answers/plan-words.ts";
import type { Person } from "../../agent/ports/ports.ts";
import type { Session } from "../../core/session.ts";
import type { BrowserReview } from "../../faces/browser/desks/review.ts";
import type { Prompts } from "../../prompts/index.ts";

export interface SessionReviewOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly prompts: Prompts;
  readonly tell: (line: string) => void;
  /** Null until the session is composed. */
  readonly current: () => SessionHandle | null;
  readonly costUsd?: (session: Session) => number | null;
}

export interface SessionReview {
  /** Goes beside the terminal's: `everyone(terminal, review.person)`. */
  readonly person: Person;
  /** Hears what the terminal hears. */
  readonly listen: (happening: Happening) => void;
  /** A new link to the page; rejects with a sentence. */
  link(): Promise<string>;
  /** `/review`: opens the browser on a new link, and gives the link; rejects with a sentence. */
  open(): Promise<string>;
  /** Once the session is composed: a page that was left open before a restart goes on. */
  goOn(): Promise<void>;
  close(): Promise<void>;
}

export function sessionReview(options: SessionReviewOptions): SessionReview {
  const { environment, prompts, tell, current } = options;
  const home = configHome({ environment, directory: homeDirectory() });
  /** Until the face is there: the last event, which has the whole session, and what came since it is awaited. */
  const heard: Happening[] = [];
  let loading: Promise<BrowserReview> | null = null;
  let loaded: BrowserReview | null = null;

  const load = async (): Promise<BrowserReview> => {
    const [{ browserReview }, { createFiles }] = await Promise.all([
      import("../../faces/browser/desks/review.ts"),
      import("../../agent/host/files/files.ts"),
    ]);
    const review = browserReview({
      home,
      files: createFiles(),
      user: userInfo().username,
      tell,
      ...(options.costUsd === undefined ? {} : { costUsd: options.costUsd }),
      say: async (words) => {
        const handle = current();
        if (handle !== null) await sayPlanWords(handle, prompts, words);
        return handle !== null;
      },
    });
    for (const happening of heard.splice(0)) review.listen(happening);
    loaded = review;
    return review;
  };
  const face = (): Promise<BrowserReview> => (loading ??= load());
  const link = async (): Promise<string> => {
    const opened = await (await face()).open();
    if ("problem" in opened) throw new Error(opened.problem);
    return opened.url;
  };

  return {
    person: {
      ...nobody(),
      review: async (request, signal, send) => (await face()).person.review(request, signal, send),
    },
    listen(happening) {
      if (loaded !== null) return loaded.listen(happening);
      if (loading === null) heard.length = 0;
      if (loading !== null || happening.kind === "event") heard.push(happening);
    },
    link,
    async open() {
      const url = await link();
      const { openBrowser } = await import("../../faces/browser/server/open.ts");
      const problem = await openBrowser({ url, home, environment });
      if (problem !== null) tell(`the browser could not be opened (${problem}); open the link yourself`);
      return url;
    },
    async goOn() {
      const id = current()?.state.id ?? "";
      if (id !== "" && existsSync(join(reviewsFolder(home, id), "server.json"))) await (await face()).goOn();
    },
    async close() {
      await (loading === null ? null : await loading)?.close();
    },
  };
}
