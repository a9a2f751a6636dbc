/** A whole session in memory with the real review server before it, and a client that speaks HTTP as a page, or as an attacker, would. */
import { request as httpRequest } from "node:http";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everyone } from "../../src/agent/answers/persons.ts";
import type { Person } from "../../src/agent/ports/ports.ts";
import type { Assets } from "../../src/faces/browser/server/assets.ts";
import { browserReview, type BrowserReview } from "../../src/faces/browser/desks/review.ts";
import type { PlanWords } from "../../src/agent/answers/plan-words.ts";
import type { Accepted, Problem, Refused, ReviewState } from "../../src/faces/browser/desks/wire.ts";
import { memoryFiles, startHarness, type Harness, type HarnessOptions } from "../../src/testing/index.ts";
import { remove } from "../support/remove.ts";

export interface Stage {
  readonly harness: Harness;
  readonly review: BrowserReview;
  /** What the page said while no request was open. */
  readonly said: readonly PlanWords[];
  readonly told: readonly string[];
  readonly page: () => Promise<Page>;
  readonly home: string;
  readonly close: () => Promise<void>;
}

export interface StageOptions extends Omit<HarnessOptions, "person"> {
  /** Beside the browser. */
  readonly others?: readonly Person[];
  readonly home?: string;
}

export const assets: Assets = new Map([
  ["", { type: "text/html; charset=utf-8", bytes: Buffer.from("<!doctype html><title>page</title>") }],
  ["assets/page-1.js", { type: "text/javascript; charset=utf-8", bytes: Buffer.from("export {};") }],
]);

export async function setStage({ others = [], ...options }: StageOptions): Promise<Stage> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), "groundplan-browser-"));
  const said: PlanWords[] = [];
  const told: string[] = [];
  const files = options.files ?? memoryFiles({ "/repo/README.md": "# Repo\n" });
  const review = browserReview({
    home,
    files,
    user: "ada",
    assets,
    tell: (line) => void told.push(line),
    say: async (words) => {
      said.push(words);
      return true;
    },
  });
  const harness = await startHarness({
    ...options,
    files,
    person: everyone(...others, review.person),
    listen(happening) {
      options.listen?.(happening);
      review.listen(happening);
    },
  });
  return {
    harness,
    review,
    said,
    told,
    home,
    page: async () => visit(await linkOf(review)),
    async close() {
      harness.session.close();
      await review.close();
      if (options.home === undefined) remove(home);
    },
  };
}

export async function linkOf(review: Pick<BrowserReview, "open">): Promise<string> {
  const opened = await review.open();
  if ("problem" in opened) throw new Error(opened.problem);
  return opened.url;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Exactly this in the request line. */
  readonly path?: string;
  /** Called with all that came so far whenever more comes. */
  readonly heard?: (body: string) => void;
}

/** Sends exactly these headers and this path; nothing is normalised on the way. */
export function send(url: string, { method = "GET", headers = {}, body, path, heard }: Sending = {}): Promise<Reply> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        hostname,
        port,
        method,
        path: path ?? pathname + search,
        headers: { host: `${hostname}:${port}`, ...headers } as Record<string, string>,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          heard?.(Buffer.concat(chunks).toString("utf8"));
        });
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

export interface Page {
  readonly origin: string;
  /** Ends with a slash. */
  readonly base: string;
  readonly cookie: string;
  readonly state: () => Promise<ReviewState>;
  readonly post: (
    route: "verdict" | "comments",
    body: unknown,
    tab?: string,
  ) => Promise<{ readonly status: number; readonly value: Accepted | Refused | Problem }>;
  readonly send: (route: string, sending?: Sending) => Promise<Reply>;
}

/** As a browser does: follows the link, keeps the cookie, sends what a same-origin fetch would. */
export async function visit(link: string): Promise<Page> {
  const let_in = await send(link);
  const [cookie = ""] = String(let_in.headers["set-cookie"]).split(";");
  return pageAt(link.split("?")[0]!, cookie);
}

export function pageAt(base: string, cookie: string): Page {
  const { origin } = new URL(base);
  const own = { cookie, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
  const ask: Page["send"] = (route, sending = {}) =>
    send(base + route, { ...sending, headers: { ...own, ...sending.headers } });
  return {
    origin,
    base,
    cookie,
    send: ask,
    async state() {
      const { status, body } = await ask("api/state");
      if (status !== 200) throw new Error(`${status}: ${body}`);
      return JSON.parse(body) as ReviewState;
    },
    async post(route, body, tab = "tab-1") {
      const headers = { origin, "content-type": "application/json", "x-groundplan-tab": tab };
      const reply = await ask(`api/${route}`, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: reply.status, value: JSON.parse(reply.body) as Accepted | Refused | Problem };
    },
  };
}
