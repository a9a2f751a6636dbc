/** The port through which pages are fetched. */

export interface Web {
  /** Addresses inside of this machine and its networks that it would be fetched from; none for the public net. Never rejects. */
  inward(url: string): Promise<readonly string[]>;
  /** GET, bounded in size and time; text out of HTML. Redirects to another host are reported, not followed. */
  fetchText(url: string, options: FetchOptions): Promise<WebResult>;
}

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** What was judged and let through: to no other address inside is ever connected, whatever the name leads to by then. */
  readonly inward: readonly string[];
}

export type WebResult =
  | { readonly kind: "page"; readonly url: string; readonly text: string; readonly truncated: boolean }
  | { readonly kind: "redirect"; readonly url: string }
  | { readonly kind: "failed"; readonly reason: string };
