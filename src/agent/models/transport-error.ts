/** What can go wrong between us and a server, before any of its words are understood. */

export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly kind: "unreachable" | "silent" | "broken";
  /** The server had closed a connection that was kept alive: a fresh one may be tried at once. */
  readonly staleSocket: boolean;

  constructor(kind: TransportError["kind"], message: string, staleSocket = false) {
    super(message);
    this.kind = kind;
    this.staleSocket = staleSocket;
  }
}

export function abortError(): Error {
  return Object.assign(new Error("aborted"), { name: "AbortError" });
}
