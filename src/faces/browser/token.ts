/** The way in: a single-use token in the URL is exchanged for a cookie, whose holder alone may use the URL again (B3.6). */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { ServerKeys } from "./keys.ts";

export interface Doorkeeper {
  /** A new token; only the newest few that were not used count. */
  mint(): string;
  /** True once for each token. */
  redeem(token: string): boolean;
  isKnown(cookieHeader: string | undefined): boolean;
  /** The cookie that lets a page in. */
  readonly setCookie: string;
}

export function createDoorkeeper({ folder, secret }: Pick<ServerKeys, "folder" | "secret">): Doorkeeper {
  const unused: string[] = [];
  const value = createHmac("sha256", secret).update(`cookie ${folder}`).digest("base64url");
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
    isKnown: (header) => cookiesOf(header).filter((given) => isSame(given, value)).length > 0,
    setCookie: `${cookieName}=${value}; Path=/${folder}/; HttpOnly; SameSite=Strict`,
  };
}

/** In constant time, whatever the lengths are. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

const cookieName = "groundplan_review";
const mostTokens = 16;

function digest(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}

function cookiesOf(header = ""): readonly string[] {
  return header.split(";").flatMap((pair) => {
    const [name, ...rest] = pair.trim().split("=");
    return name === cookieName ? [rest.join("=")] : [];
  });
}
