/** The real program behind an editor: the protocol's own client on its stdio, which notes everything and answers as a test says. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Readable, Writable } from "node:stream";
import {
  client,
  methods,
  ndJsonStream,
  type AnyMessage,
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type InitializeResponse,
  type NewSessionResponse,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionNotification,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import { until } from "../support/until.ts";
import type { RunOptions, Stage } from "../headless/program.ts";

/** The id of an option, "cancelled", or null to never answer. */
export type Choose = (request: RequestPermissionRequest) => string | null | Promise<string | null>;

export interface EditorOptions extends RunOptions {
  readonly args?: readonly string[];
  readonly capabilities?: ClientCapabilities;
  readonly choose?: Choose;
  readonly form?: (request: CreateElicitationRequest) => Record<string, unknown>;
  /** What its open files hold. */
  readonly buffers?: Readonly<Record<string, string>>;
}

export interface Editor {
  readonly child: ChildProcessWithoutNullStreams;
  readonly agent: ClientContext;
  readonly hello: InitializeResponse;
  readonly stderr: () => string;
  /** Every line on stdout. */
  readonly lines: () => readonly string[];
  readonly updates: (session?: string) => readonly SessionUpdate[];
  /** Updates and requests for permission, in the order in which they came. */
  readonly order: () => readonly Heard[];
  readonly asked: readonly RequestPermissionRequest[];
  readonly forms: readonly CreateElicitationRequest[];
  readonly read: readonly string[];
  readonly ended: Promise<number | null>;
  newSession(more?: object): Promise<NewSessionResponse>;
  prompt(session: string, text: string): Promise<PromptResponse>;
  until(what: string, fits: (update: SessionUpdate) => boolean): Promise<SessionUpdate>;
}

export type Heard = { readonly kind: "request" } | { readonly kind: "update"; readonly update: SessionUpdate };

/** Says yes to whatever is asked, with the widest yes there is. */
export const yesToAll: Choose = ({ options }) =>
  (options.findLast(({ kind }) => kind === "allow_always") ?? options.find(({ kind }) => kind === "allow_once"))
    ?.optionId ?? "cancelled";

/** Its process ends with the test. */
export async function startEditor(stage: Stage, options: EditorOptions = {}): Promise<Editor> {
  const { args = [], capabilities = {}, choose = () => "cancelled", form, buffers = {}, ...how } = options;
  const child = stage.start(["acp", ...args], how);
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let err = "";
  let out = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.stdin.on("error", () => undefined);
  const heard: SessionNotification[] = [];
  const order: Heard[] = [];
  const asked: RequestPermissionRequest[] = [];
  const forms: CreateElicitationRequest[] = [];
  const read: string[] = [];
  const app = client({ name: "test" })
    .onNotification(methods.client.session.update, ({ params }) => {
      heard.push(params);
      order.push({ kind: "update", update: params.update });
    })
    .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
      asked.push(params);
      order.push({ kind: "request" });
      const given = choose(params);
      const gone = new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("cancelled")));
      const chosen = await Promise.race([gone, Promise.resolve(given).then((id) => id ?? gone)]);
      return { outcome: chosen === "cancelled" ? { outcome: "cancelled" } : { outcome: "selected", optionId: chosen } };
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => {
      read.push(params.path);
      const content = buffers[params.path];
      if (content === undefined) throw new Error("not open");
      return { content };
    });
  if (form !== undefined)
    app.onRequest(methods.client.elicitation.create, ({ params }) => {
      forms.push(params);
      return form(params) as never;
    });
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  const [wire, copy] = input.tee();
  void noteAll(copy, (text) => (out += text));
  const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
  const connection = app.connect(ndJsonStream(output, wire));
  const { agent } = connection;
  const hello = await agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: capabilities,
    clientInfo: { name: "a test", version: "1" },
  });
  const updates = (session?: string): readonly SessionUpdate[] =>
    heard.filter(({ sessionId }) => session === undefined || sessionId === session).map(({ update }) => update);
  return {
    child,
    agent,
    hello,
    ended,
    asked,
    forms,
    read,
    updates,
    order: () => order,
    stderr: () => err,
    lines: () => out.split("\n").slice(0, -1),
    newSession: (more = {}) =>
      agent.request(methods.agent.session.new, { cwd: stage.repository, mcpServers: [], ...more }),
    prompt: (sessionId, text) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] }),
    until: (what, fits) => until(what, () => updates().find(fits) ?? null),
  };
}

async function noteAll(stream: ReadableStream<Uint8Array>, note: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read())
    note(decoder.decode(part.value, { stream: true }));
}

/** What the agent said, as one text. */
export function saidIn(updates: readonly SessionUpdate[], kind = "agent_message_chunk"): string {
  return updates
    .map((update) =>
      update.sessionUpdate === kind &&
      "content" in update &&
      !Array.isArray(update.content) &&
      update.content?.type === "text"
        ? update.content.text
        : "",
    )
    .join("");
}

export function only<Kind extends SessionUpdate["sessionUpdate"]>(
  updates: readonly SessionUpdate[],
  kind: Kind,
): readonly Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
  return updates.filter(
    (update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind,
  );
}

/** Whether it is one message of the protocol. */
export function isMessage(line: string): boolean {
  const message = JSON.parse(line) as AnyMessage;
  return message.jsonrpc === "2.0";
}
