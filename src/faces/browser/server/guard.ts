/** Who may ask: this machine's own address as Host, and no other page than ours (DNS rebinding, foreign origins). */
import type { IncomingMessage } from "node:http";

export type Objection = "host" | "origin";

/** Null where nothing speaks against it. A navigation of the browser's own window may come from anywhere: it only shows. */
export function objectionTo(request: IncomingMessage, port: number): Objection | null {
  const { method, headers, headersDistinct } = request;
  const { origin, "sec-fetch-site": fetchSite } = headers;
  const host = headers.host?.toLowerCase() ?? "";
  /** Two Hosts are a trick. */
  const isRepeated = [headersDistinct["host"], headersDistinct["origin"]].some((values = []) => values.length > 1);
  if (isRepeated || ![`127.0.0.1:${port}`, `localhost:${port}`].includes(host)) return "host";
  if (origin !== undefined && origin !== `http://${host}`) return "origin";
  if (fetchSite !== undefined && fetchSite !== "same-origin" && !isNavigation(request)) return "origin";
  if (method === "POST" && origin === undefined && fetchSite !== "same-origin") return "origin";
  return null;
}

export function isNavigation({ method, headers }: IncomingMessage): boolean {
  const { origin, "sec-fetch-mode": mode, "sec-fetch-dest": destination } = headers;
  return method === "GET" && origin === undefined && mode === "navigate" && destination === "document";
}
