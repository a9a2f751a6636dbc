/** Where a mailbox is, as text that another process can be told. */
import type { Mailbox } from "../../src/mail/mailbox.ts";
import { createFileMailbox } from "../../src/mail/files/mailbox.ts";
import { sealMailbox } from "../../src/mail/mailbox-sealed.ts";
import { createNatsMailbox } from "../../src/mail/nats/mailbox.ts";
import { patience } from "../support/until.ts";

/** All letters of the suite are of this time. */
const sentAt = Date.parse("2026-01-02T03:04:05.678Z");

export type Place =
  | { readonly kind: "files"; readonly home: string; readonly mostUnread?: number }
  | { readonly kind: "nats"; readonly url: string; readonly deployment: string; readonly mostUnread?: number };

const secret = (): Promise<string> => Promise.resolve("a-secret-of-the-tests-0123456789-abcdef");

/** Sealed as every member's is, with a secret that all tests share. */
export function openPlace(place: Place, report: (problem: string) => void = () => undefined): Mailbox {
  return sealMailbox(openTransport(place, report), { secret, secretFile: () => "secret", report, now: () => sentAt });
}

/** A killed reader's letter is not waited for long; a busy machine has time to take one, and to acknowledge it. */
function openTransport(place: Place, report: (problem: string) => void): Mailbox {
  const { mostUnread } = place;
  if (place.kind === "files") {
    return createFileMailbox({
      home: place.home,
      report,
      ...(mostUnread !== undefined && { room: { letters: mostUnread } }),
    });
  }
  const { url, deployment } = place;
  return createNatsMailbox({
    url,
    deployment,
    environment: {},
    report,
    takeoverMs: 6_000,
    patienceMs: patience,
    ...(mostUnread !== undefined && { mostUnread }),
  });
}
