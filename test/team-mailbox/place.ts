/** Where a mailbox is, as text that another process can be told. */
import type { Mailbox } from "../../src/faces/team/mailbox.ts";
import { createFileMailbox } from "../../src/faces/team/mailbox-files.ts";
import { createNatsMailbox } from "../../src/faces/team/mailbox-nats.ts";

export type Place =
  | { readonly kind: "files"; readonly home: string; readonly mostUnread?: number }
  | { readonly kind: "nats"; readonly url: string; readonly deployment: string; readonly mostUnread?: number };

/** Short times, so that a test need not wait long. */
export function openPlace(place: Place, report: (problem: string) => void = () => undefined): Mailbox {
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
    takeoverMs: 1500,
    ...(mostUnread !== undefined && { mostUnread }),
  });
}
