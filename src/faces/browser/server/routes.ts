/** Every request that the page makes, from the checks of who asks to the answer; anything else is refused. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Assets } from "./assets.ts";
import { isNavigation, objectionTo } from "./guard.ts";
import { letIn, refuse, refusePage, sendAsset } from "./replies.ts";
import type { Doorkeeper } from "./token.ts";

export interface RouteParts extends RoomContent {
  readonly port: number;
  readonly folder: string;
  readonly doorkeeper: Doorkeeper;
  readonly assets: Assets;
}

/** What is to be had in a room: its document among the assets, and what its page may ask. */
export interface RoomContent {
  readonly document: "" | "?list";
  readonly api: Readonly<Record<string, Route>>;
}

export type Routes = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createRoutes({ port, folder, doorkeeper, assets, document, api }: RouteParts): Routes {
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
    if (token === null && !isKnown) return refusePage(response, needsLink);
    if (token === null) return sendAsset(request, response, assets.get(document)!);
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
    return route.run({ request, response, tab, query });
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

export interface Route {
  readonly method: "GET" | "POST";
  readonly run: (call: RouteCall) => Promise<void>;
}

interface PageCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

export interface RouteCall extends PageCall {
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
export function isSpeculative({ headers }: IncomingMessage): boolean {
  return /prefetch|prerender|preview/i.test(`${String(headers["sec-purpose"])} ${String(headers["purpose"])}`);
}

function tabOf(given: string | readonly string[] | null): string | null {
  return typeof given === "string" && /^[\w-]{1,64}$/.test(given) ? given : null;
}
