/** Who may ask: this machine's own address as Host, and no other page than ours (DNS rebinding, foreign origins). */

export interface RequestOrigin {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly fetchDest: string | undefined;
  /** How often each of these headers was sent: two Hosts are a trick. */
  readonly repeated: boolean;
}

export type Objection = "host" | "origin";

/** Null where nothing speaks against it. A navigation of the browser's own window may come from anywhere: it only shows. */
export function objectionTo(asked: RequestOrigin, port: number): Objection | null {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (asked.repeated || !hosts.includes(asked.host ?? "")) return "host";
  const { origin, fetchSite, method } = asked;
  if (origin !== undefined && origin !== `http://${asked.host}`) return "origin";
  if (fetchSite !== undefined && fetchSite !== "same-origin" && !isNavigation(asked)) return "origin";
  if (method === "POST" && origin === undefined && fetchSite !== "same-origin") return "origin";
  return null;
}

export function isNavigation({ method, origin, fetchMode, fetchDest }: RequestOrigin): boolean {
  return method === "GET" && origin === undefined && fetchMode === "navigate" && fetchDest === "document";
}
