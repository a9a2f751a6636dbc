/** The way in: a single-use token in the URL is exchanged for a cookie of this run, whose holder alone may use the URL again (B3.6). */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { ServerKeys } from "./server-keys.ts";

export interface Doorkeeper {
  /** A new token; only the newest few that were not used count. */
  mint(): string;
  /** True once for each token. */
  redeem(token: string): boolean;
  /** `earlier`: by the cookie of the run before, which is to be exchanged at once. */
  holderOf(cookieHeader: string | undefined): "known" | "earlier" | null;
  /** The cookie that lets a page in. From the first one on, the secret of this run is the one that is kept. */
  cookie(): Promise<string>;
}

export interface DoorkeeperParts extends Pick<ServerKeys, "folder" | "secret"> {
  /** The secret of the run before, where a page of it may still be open. */
  readonly earlier: string | null;
  /** Before the first cookie of this run is given out. */
  readonly keep: () => Promise<void>;
}

export function createDoorkeeper({ folder, secret, earlier, keep }: DoorkeeperParts): Doorkeeper {
  const unused: string[] = [];
  const value = valueOf(secret, folder);
  const before = earlier === null ? null : valueOf(earlier, folder);
  let kept: Promise<void> | null = null;
  let exchangedAt: number | null = null;
  const isOver = (): boolean => exchangedAt !== null && performance.now() - exchangedAt > exchangeMs;
  return {
    mint() {
      const token = randomBytes(24).toString("base64url");
      unused.push(token);
      if (unused.length > mostTokens) unused.shift();
      return token;
    },
    redeem(token) {
      const matches = unused.map((known) => isSame(known, token));
      const at = matches.indexOf(true);
      if (at < 0) return false;
      unused.splice(at, 1);
      return true;
    },
    holderOf(header) {
      const given = cookiesOf(header);
      if (given.filter((one) => isSame(one, value)).length > 0) return "known";
      if (before === null || isOver() || given.filter((one) => isSame(one, before)).length === 0) return null;
      exchangedAt ??= performance.now();
      return "earlier";
    },
    async cookie() {
      await (kept ??= keep());
      return `${cookieName}=${value}; Path=/${folder}/; HttpOnly; SameSite=Strict`;
    },
  };
}

/** In constant time, whatever the lengths are. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

const cookieName = "groundplan_review";
const mostTokens = 16;
/** So long after its first use the cookie of the run before counts: for what the page had asked already. */
const exchangeMs = 60_000;

function valueOf(secret: string, folder: string): string {
  return createHmac("sha256", secret).update(`cookie ${folder}`).digest("base64url");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}

function cookiesOf(header = ""): readonly string[] {
  return header.split(";").flatMap((pair) => {
    const [name, ...rest] = pair.trim().split("=");
    return name === cookieName ? [rest.join("=")] : [];
  });
}
