/** What the page of one plan may ask: the state, news, pictures of the project, a verdict, words. */
import type * as z from "zod";
import type { ReviewDesk, Taken } from "../desks/desk.ts";
import type { Accepted, Refused } from "../desks/wire.ts";
import { readBody } from "./body.ts";
import type { EventStreams } from "./event-streams.ts";
import { inTime } from "./in-time.ts";
import { refuse, sendJson, sendPicture } from "./replies.ts";
import type { Route, RouteCall } from "./routes.ts";
import { signRoute } from "./sign.ts";
import { commentsShape, verdictShape } from "./shapes.ts";

export function reviewApi(desk: ReviewDesk, streams: EventStreams): Readonly<Record<string, Route>> {
  const take = async <Value>(
    { request, response, tab }: RouteCall,
    shape: z.ZodType<Value>,
    answer: (value: Value) => Promise<Taken>,
  ): Promise<void> => {
    const body = await readBody(request, shape);
    if ("problem" in body) return refuse(response, body);
    const taken = await inTime(
      answer(body.value).then(async (reason) => ({ reason, state: await desk.state(tab) })),
      desk,
    );
    if (taken === null) return refuse(response, unsettled);
    const { reason, state } = taken;
    if (reason === null) return sendJson(response, 200, { accepted: true, state } satisfies Accepted);
    return sendJson(response, 409, { accepted: false, reason, state } satisfies Refused);
  };
  return {
    "api/state": { method: "GET", run: async ({ tab, response }) => sendJson(response, 200, await desk.state(tab)) },
    "api/events": eventsRoute(streams),
    "api/sign.svg": signRoute,
    "api/picture": {
      method: "GET",
      run: async ({ request, response, query }) => {
        const picture = await desk.picture(query.get("path") ?? "");
        if (picture !== null) return sendPicture(request, response, picture);
        refuse(response, { status: 404, problem: "no-picture", message: "The project has no such picture." });
      },
    },
    "api/verdict": { method: "POST", run: (call) => take(call, verdictShape, (body) => desk.decide(body, call.tab)) },
    "api/comments": { method: "POST", run: (call) => take(call, commentsShape, (body) => desk.comment(body)) },
  };
}

const unsettled = {
  status: 503,
  problem: "unsettled",
  message: "The program has not said whether this counts. What you wrote is kept here: look again in a moment.",
} as const;

export function eventsRoute(streams: EventStreams): Route {
  return {
    method: "GET",
    run: async ({ response }) => {
      if (streams.attach(response)) return;
      refuse(response, { status: 429, problem: "too-many", message: "Too many pages listen; close some tabs." });
    },
  };
}
