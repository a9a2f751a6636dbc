/** Messages over stdio, a line each: whatever else comes in is answered by the protocol's errors, and nothing but messages goes out. */
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { RequestError, type AnyMessage, type Stream } from "@agentclientprotocol/sdk";
import { readLines } from "../../agent/host/read-lines.ts";

export interface WireOptions {
  readonly stdin: Readable;
  /** Nobody else writes to it. */
  readonly stdout: Writable;
  readonly complain: (line: string) => void;
  /** Aborted when nothing more is read. */
  readonly signal: AbortSignal;
}

export function stdioStream({ stdin, stdout, complain, signal }: WireOptions): Stream {
  const send = async (message: object): Promise<void> => {
    if (stdout.destroyed || !stdout.writable) throw new Error("The editor is gone.");
    if (!stdout.write(`${JSON.stringify(message)}\n`)) await once(stdout, "drain");
  };
  const refuse = (error: RequestError): Promise<void> =>
    send({ jsonrpc: "2.0", id: null, error: error.toErrorResponse() }).catch(() => undefined);
  const readable = new ReadableStream<AnyMessage>({
    async start(controller) {
      for await (const line of readLines(stdin, { signal, complain })) {
        if (line === null) await refuse(RequestError.invalidRequest(undefined, "this line is longer than 16 MiB"));
        else if (line.trim() !== "") {
          const message = parsed(line);
          if (message === undefined) await refuse(RequestError.parseError());
          else controller.enqueue(message);
        }
      }
      controller.close();
    },
  });
  return { readable, writable: new WritableStream<AnyMessage>({ write: send }) };
}

/** Half a character is no text: no provider takes it. */
function parsed(line: string): AnyMessage | undefined {
  try {
    return JSON.parse(line.replace(/^\uFEFF/, ""), (_, part: unknown) =>
      typeof part === "string" ? part.replaceAll(/\p{Surrogate}/gu, "\uFFFD") : part,
    ) as AnyMessage;
  } catch {
    return undefined;
  }
}
