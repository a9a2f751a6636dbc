/** The answers that leave the server: JSON, files of the page, refusals with a sentence for the person. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Asset } from "./assets.ts";
import { commonHeaders, pagePolicy, picturePolicy } from "./headers.ts";
import { acceptedEncodings } from "./accepted-encodings.ts";
import type { PlanPicture } from "../desks/pictures.ts";
import type { Problem } from "../desks/wire.ts";

export interface RefusedReply extends Problem {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { ...commonHeaders, "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(value));
}

/** Compressed where the browser says that it takes that. */
export function sendAsset(request: IncomingMessage, response: ServerResponse, asset: Asset): void {
  const accepted = acceptedEncodings(request.headers["accept-encoding"]);
  const { packed = [], type } = asset;
  const chosen = packed.find(({ encoding }) => accepted.has(encoding));
  const { bytes } = chosen ?? asset;
  response.writeHead(200, {
    ...commonHeaders,
    "content-type": type,
    "content-length": bytes.length,
    vary: "accept-encoding",
    ...(chosen === undefined ? {} : { "content-encoding": chosen.encoding }),
  });
  response.end(bytes);
}

/** For an `img` alone: nobody looks at it by itself. */
export function sendPicture(request: IncomingMessage, response: ServerResponse, { type, bytes }: PlanPicture): void {
  const destination = request.headers["sec-fetch-dest"] ?? "image";
  if (destination !== "image") return refuse(response, { status: 403, problem: "not-a-page", message: noPage });
  const headers = { "content-type": type, "content-length": bytes.length, "content-security-policy": picturePolicy };
  response.writeHead(200, { ...commonHeaders, ...headers });
  response.end(bytes);
}

const noPage = "Pictures are shown in the plan alone.";

export function refuse(response: ServerResponse, { status, problem, message, headers = {} }: RefusedReply): void {
  const body: Problem = { problem, message };
  response.writeHead(status, { ...commonHeaders, ...headers, "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}

/** For a browser's window rather than for the page's program. */
export function refusePage(response: ServerResponse, message: string, status = 403): void {
  const policy = pagePolicy.replace("style-src 'self'", `style-src '${quietHash}'`);
  const headers = { "content-security-policy": policy, "content-type": "text/html; charset=utf-8" };
  response.writeHead(status, { ...commonHeaders, ...headers });
  response.end(documentOf(`<style>${quietStyle}</style><main><h1>Groundplan</h1><p>${message}</p></main>`));
}

/** In the document itself: whoever is refused gets no file of the page. */
const quietStyle =
  "body{margin:0;font:1rem/1.6 system-ui,sans-serif}main{max-width:34rem;margin:18vh auto 0;padding:0 1.5rem}h1{margin:0 0 .5rem;font-size:1.3rem}p{margin:0}";
const quietHash = `sha256-${createHash("sha256").update(quietStyle, "utf8").digest("base64")}`;

/** Lets the browser in. Coming from another site, a redirect would leave the strict cookie behind; a page of ours that goes on does not. */
export function letIn(
  response: ServerResponse,
  { cookie, path, site }: { readonly cookie: string; readonly path: string; readonly site: string },
): void {
  const headers = { ...commonHeaders, "set-cookie": cookie };
  if (site === "none" || site === "same-origin") {
    response.writeHead(303, { ...headers, location: path }).end();
    return;
  }
  response.writeHead(200, { ...headers, "content-type": "text/html; charset=utf-8" });
  response.end(
    documentOf(`<meta http-equiv="refresh" content="0;url=${path}"><a href="${path}">Go on to the plan</a>`),
  );
}

function documentOf(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Groundplan</title>${body}</html>`;
}
