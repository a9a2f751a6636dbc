/** Every request that the page makes, from the checks of who asks to the answer; anything else is refused. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type * as z from "zod";
import type { Assets } from "./assets.ts";
import { readBody } from "./body.ts";
import type { ReviewDesk, Taken } from "../desks/desk.ts";
import type { EventStreams } from "./event-streams.ts";
import { isNavigation, objectionTo } from "./guard.ts";
import { letIn, refuse, refusePage, sendAsset, sendJson } from "./replies.ts";
import { commentsShape, verdictShape } from "./shapes.ts";
import type { Doorkeeper } from "./token.ts";
import type { Accepted, Refused } from "../desks/wire.ts";

export interface RouteParts {
  readonly port: number;
  readonly folder: string;
  readonly doorkeeper: Doorkeeper;
  readonly assets: Assets;
  readonly desk: ReviewDesk;
  readonly streams: EventStreams;
}

export type Routes = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createRoutes({ port, folder, doorkeeper, assets, desk, streams }: RouteParts): Routes {
  const take = async <Value>(
    { request, response, tab }: RouteCall,
    shape: z.ZodType<Value>,
    answer: (value: Value) => Promise<Taken>,
  ): Promise<void> => {
    const body = await readBody(request, shape);
    if ("problem" in body) return refuse(response, body);
    const reason = await answer(body.value);
    const state = await desk.state(tab);
    if (reason === null) return sendJson(response, 200, { accepted: true, state } satisfies Accepted);
    return sendJson(response, 409, { accepted: false, reason, state } satisfies Refused);
  };

  const api: Readonly<Record<string, Route>> = {
    "api/state": { method: "GET", run: async ({ tab, response }) => sendJson(response, 200, await desk.state(tab)) },
    "api/events": {
      method: "GET",
      run: async ({ response }) => {
        if (streams.attach(response)) return;
        refuse(response, { status: 429, problem: "too-many", message: "Too many pages listen; close some tabs." });
      },
    },
    "api/verdict": { method: "POST", run: (call) => take(call, verdictShape, (body) => desk.decide(body, call.tab)) },
    "api/comments": {
      method: "POST",
      run: (call) => take(call, commentsShape, (body) => desk.comment(body)),
    },
  };

  /** A page of the run before gets the cookie of this one with its first answer. */
  const isLetIn = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const holder = doorkeeper.holderOf(request.headers.cookie);
    if (holder === "earlier") response.setHeader("set-cookie", await doorkeeper.cookie());
    return holder !== null;
  };

  /** The page, or the exchange of the token: the cookie's holder may come by the same link again, nobody else. */
  const page = async ({ request, response, query }: PageCall): Promise<void> => {
    const isKnown = await isLetIn(request, response);
    if (isSpeculative(request)) return refusePage(response, "This page is not loaded ahead.");
    const token = query.get("token");
    if (token === null)
      return isKnown ? sendAsset(request, response, assets.get("")!) : refusePage(response, needsLink);
    if (!isKnown && !doorkeeper.redeem(token)) return refusePage(response, usedLink);
    const site = request.headers["sec-fetch-site"] ?? "none";
    return letIn(response, { cookie: await doorkeeper.cookie(), path: `/${folder}/`, site });
  };

  return async (request, response) => {
    if (isRefused(request, response, port)) return;
    const [path = "", ...rest] = (request.url ?? "").split("?");
    const name = path.startsWith(`/${folder}/`) ? path.slice(folder.length + 2) : null;
    const route = name !== null && Object.hasOwn(api, name) ? api[name]! : null;
    const asset = name === null ? undefined : assets.get(name);
    if (name === null || (route === null && asset === undefined)) {
      return nothingHere(request, response);
    }
    const method = route?.method ?? "GET";
    if (request.method !== method) {
      const headers = { allow: method };
      return refuse(response, { status: 405, problem: "method", message: `Only ${method} here.`, headers });
    }
    const query = new URLSearchParams(rest.join("?"));
    if (name === "") return page({ request, response, query });
    if (!(await isLetIn(request, response))) {
      return refuse(response, { status: 401, problem: "not-let-in", message: needsLink });
    }
    if (route === null) return sendAsset(request, response, asset!);
    const tab = tabOf(request.headers["x-groundplan-tab"] ?? query.get("tab"));
    return route.run({ request, response, tab });
  };
}

/** For a path that leads to no page: the checks of who asks are the same. */
export function refuseUnknown(request: IncomingMessage, response: ServerResponse, port: number): void {
  if (!isRefused(request, response, port)) nothingHere(request, response);
}

function isRefused(request: IncomingMessage, response: ServerResponse, port: number): boolean {
  const objection = objectionTo(request, port);
  if (objection !== null) refuse(response, { status: 403, problem: objection, message: objections[objection] });
  return objection !== null;
}

function nothingHere(request: IncomingMessage, response: ServerResponse): void {
  if (isNavigation(request)) refusePage(response, needsLink, 404);
  else refuse(response, { status: 404, problem: "unknown", message: "There is nothing here." });
}

interface Route {
  readonly method: "GET" | "POST";
  readonly run: (call: RouteCall) => Promise<void>;
}

interface PageCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

interface RouteCall extends Omit<PageCall, "query"> {
  readonly tab: string | null;
}

const needsLink =
  "This page needs the link that the program shows: type /review, or run groundplan review, and open it.";
const usedLink = "This link was used already, or is not whole. Type /review, or run groundplan review, for a new one.";
const objections = {
  host: "This server answers at its own address only.",
  origin: "Another page may not ask this server anything.",
} as const;

/** A browser that loads ahead must not use the link up. */
function isSpeculative({ headers }: IncomingMessage): boolean {
  return /prefetch|prerender|preview/i.test(`${String(headers["sec-purpose"])} ${String(headers["purpose"])}`);
}

function tabOf(given: string | readonly string[] | null): string | null {
  return typeof given === "string" && /^[\w-]{1,64}$/.test(given) ? given : null;
}
