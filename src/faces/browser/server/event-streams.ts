/** Server-sent events: a bounded number of pages that listen, with heartbeats; a page that does not read is let go of. */
import type { ServerResponse } from "node:http";
import { commonHeaders } from "./headers.ts";
import type { PageEvent } from "../desks/wire.ts";

export interface EventStreams {
  /** False when too many listen already. */
  attach(response: ServerResponse): boolean;
  size(): number;
  close(): void;
}

/** Whatever tells pages of its news. */
export interface NewsSource {
  version(): number;
  subscribe(listener: (event: PageEvent) => void): () => void;
}

export function createEventStreams(desk: NewsSource): EventStreams {
  const open = new Set<ServerResponse>();
  const beat = setInterval(() => open.forEach((response) => write(response, ": still here\n\n")), heartbeatMs).unref();
  return {
    attach(response) {
      if (open.size >= mostStreams) return false;
      open.add(response);
      const leave = desk.subscribe((event) => write(response, render(event)));
      response.once("close", () => {
        leave();
        open.delete(response);
      });
      response.writeHead(200, { ...commonHeaders, "content-type": "text/event-stream; charset=utf-8" });
      write(response, `retry: 1000\n${render({ event: "changed", data: { version: desk.version() } })}`);
      return true;
    },
    size: () => open.size,
    close() {
      clearInterval(beat);
      for (const response of open) response.end();
    },
  };
}

const mostStreams = 32;
const mostUnread = 256 * 1024;
const heartbeatMs = 15_000;

function write(response: ServerResponse, text: string): void {
  if (response.writableLength > mostUnread) response.destroy();
  else response.write(text);
}

function render({ event, data }: PageEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
