/** What the page of waiting plans may ask: the list, news, its sign with the number on it, and the way to one of them. */
import type { EventStreams } from "./event-streams.ts";
import { commonHeaders } from "./headers.ts";
import { refusePage, sendJson } from "./replies.ts";
import { eventsRoute } from "./review-api.ts";
import { isSpeculative, type Route } from "./routes.ts";
import { signRoute } from "./sign.ts";
import type { WaitingPlans } from "./waiting-wire.ts";

export function listApi(plans: WaitingPlans, streams: EventStreams): Readonly<Record<string, Route>> {
  return {
    "api/state": { method: "GET", run: async ({ response }) => sendJson(response, 200, await plans.state()) },
    "api/events": eventsRoute(streams),
    "api/sign.svg": signRoute,
    /** A link in the list: only whoever holds the cookie of the list is led on, and a browser that loads ahead is not. */
    "api/go": {
      method: "GET",
      run: async ({ request, response, query }) => {
        if (isSpeculative(request)) return refusePage(response, "This page is not loaded ahead.");
        const link = await plans.open(query.get("id") ?? "");
        if (link === null) return refusePage(response, "This plan does not wait any more.", 404);
        response.writeHead(303, { ...commonHeaders, location: link }).end();
      },
    },
  };
}
