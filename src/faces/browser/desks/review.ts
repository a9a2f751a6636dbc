/** `/review` of a session: a person that always takes part, and a server that starts when it is first wanted. */
import { join } from "node:path";
import { reviewsFolder } from "../../../agent/answers/kept-answers.ts";
import type { Assets } from "../server/assets.ts";
import { readKeys } from "../server/server-keys.ts";
import { liveReview, type LiveOptions, type LiveReview } from "./live.ts";
import { startServer } from "../server/server.ts";

export interface BrowserReviewOptions extends LiveOptions {
  /** The config home. */
  readonly home: string;
  /** One line for the person. */
  readonly tell: (line: string) => void;
  readonly assets?: Assets;
}

export interface BrowserReview extends Pick<LiveReview, "person" | "listen"> {
  /** A new link to the page; the server starts with the first one. */
  open(): Promise<{ readonly url: string } | { readonly problem: string }>;
  /** After a restart: a page that was left open goes on at the same port; nothing where there was none. */
  goOn(): Promise<void>;
  close(): Promise<void>;
}

export function browserReview(options: BrowserReviewOptions): BrowserReview {
  const { home, tell } = options;
  const live = liveReview(options);
  let id = "";
  let starting: ReturnType<typeof startServer> | null = null;
  const server = (): ReturnType<typeof startServer> => {
    starting ??= startServer({ desk: live.desk, keysFile: keysFileOf(home, id), tell, assets: options.assets });
    return starting;
  };
  return {
    person: live.person,
    listen(happening) {
      if (happening.kind === "event" && id === "") ({ id } = happening.session);
      live.listen(happening);
    },
    async open() {
      const started = await server();
      if (!("problem" in started)) return { url: started.link() };
      starting = null;
      return started;
    },
    async goOn() {
      if (id === "" || (await readKeys(keysFileOf(home, id))) === null) return;
      const started = await server();
      if ("problem" in started) tell(started.problem);
      else if (!started.continued) tell(`review page: ${started.link()}`);
    },
    async close() {
      live.end();
      const started = await starting;
      if (started !== null && !("problem" in started)) await started.close();
    },
  };
}

function keysFileOf(home: string, session: string): string {
  return join(reviewsFolder(home, session), "server.json");
}
