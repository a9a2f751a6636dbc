/** Where a link of a plan may lead. */

export interface SafeLink {
  readonly href: string;
  /** Shown beside the words, so that they cannot lie about it. */
  readonly host: string;
}

/** Only pages of the web, and places in the plan itself; `null`: the link is shown as words. */
export function safeLink(href: string): SafeLink | null {
  if (href.startsWith("#")) return { href, host: "" };
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return null;
  const { protocol, host, username, password } = new URL(href);
  if (protocol !== "https:" && protocol !== "http:") return null;
  if (username !== "" || password !== "") return null;
  return { href, host };
}
