/** The way to the editor of one session: nothing is sent before the editor knows the session. */
import { untilAborted } from "../../agent/answers/ask-surface.ts";
import { methods, type AgentContext, type ReadTextFileResponse, type SessionUpdate } from "@agentclientprotocol/sdk";

export type Channel = ReturnType<typeof openChannel>;

export function openChannel(client: AgentContext) {
  const waiting: SessionUpdate[] = [];
  let id: string | null = null;
  const knowing = new AbortController();
  const send = (update: SessionUpdate): void => {
    if (id === null) return void waiting.push(update);
    void client.notify(methods.client.session.update, { sessionId: id, update }).catch(() => undefined);
  };
  return {
    client,
    /** Resolves when questions may be asked. */
    ready: untilAborted(knowing.signal),
    send,
    id: () => id ?? "",
    /** From now on what is sent goes out. */
    open(session: string): void {
      id = session;
      for (const update of waiting.splice(0)) send(update);
    },
    release: () => knowing.abort(),
  };
}

/** The text of a file in the editor; null where it does not tell, or takes too long for it. */
export async function openTextIn(
  { client, id }: Pick<Channel, "client" | "id">,
  path: string,
  signal: AbortSignal,
): Promise<string | null> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const asked = { cancellationSignal: within, stopWaitingOnCancel: true };
  const params = { sessionId: id(), path };
  try {
    const reply = await client.request<Partial<ReadTextFileResponse> | null>(
      methods.client.fs.readTextFile,
      params,
      asked,
    );
    return typeof reply?.content === "string" ? reply.content : null;
  } catch {
    return null;
  }
}

const patienceMs = 3_000;
