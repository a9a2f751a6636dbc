/** The editor face: an agent of the Agent Client Protocol; several sessions in one process, each behind its own handle. */
import {
  agent,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type AgentContext,
  type AuthMethod,
  type ClientCapabilities,
  type InitializeResponse,
  type LoadSessionRequest,
  type McpServer,
  type NewSessionRequest,
  type ResumeSessionRequest,
} from "@agentclientprotocol/sdk";
import { modes } from "../../core/mode.ts";
import { openEditorSession, type EditorSession } from "./editor-session.ts";
import type { EditorProgram } from "./link.ts";
import { optionIds } from "./options.ts";
import { promptText } from "./prompt-text.ts";
import { fitted } from "./tool-calls.ts";
import { stdioStream, type WireOptions } from "./wire.ts";

/** Until the editor is gone, or the signal aborts; every session is closed then, and can be resumed. */
export async function runEditorFace(program: EditorProgram, wire: WireOptions): Promise<void> {
  const desk = createDesk(program);
  const app = agent({ name: "groundplan" });
  app.onRequest(methods.agent.initialize, ({ params }) =>
    desk.initialize(params.clientCapabilities, params.clientInfo),
  );
  app.onRequest(methods.agent.authenticate, ({ params }) => authenticate(params.methodId, program));
  app.onRequest(methods.agent.session.new, ({ params, client }) => desk.begin(client, params, "new"));
  app.onRequest(methods.agent.session.load, ({ params, client }) => desk.begin(client, params, "load"));
  app.onRequest(methods.agent.session.resume, ({ params, client }) => desk.begin(client, params, "resume"));
  app.onRequest(methods.agent.session.list, async ({ params }) => ({
    sessions: (await program.sessions(params.cwd ?? null)).map(({ id, directory, words, changedAt }) => ({
      sessionId: id,
      cwd: directory,
      title: words === "" ? null : words,
      updatedAt: new Date(changedAt).toISOString(),
    })),
  }));
  app.onRequest(methods.agent.session.close, async ({ params }) => {
    await desk.close(params.sessionId);
    return {};
  });
  app.onRequest(methods.agent.session.prompt, async ({ params, signal }) => {
    const session = desk.session(params.sessionId);
    const said = promptText(params.prompt, program.words);
    if ("problem" in said) throw RequestError.invalidParams(undefined, said.problem);
    return { stopReason: await session.prompt(said.text, signal) };
  });
  app.onNotification(methods.agent.session.cancel, ({ params }) => desk.session(params.sessionId).cancel());
  app.onRequest(methods.agent.session.setMode, async ({ params }) => {
    await chooseMode(desk.session(params.sessionId), params.modeId);
    return {};
  });
  app.onRequest(methods.agent.session.setConfigOption, async ({ params }) => {
    const session = desk.session(params.sessionId);
    const value = String(params.value);
    if (params.configId === optionIds.mode) await chooseMode(session, value);
    else if (!(await session.setOption(params.configId, value)))
      throw RequestError.invalidParams(undefined, `there is no ${fitted(`${params.configId} ${value}`, 100)}`);
    return { configOptions: session.facts().configOptions };
  });
  const connection = app.connect(stdioStream(wire));
  await Promise.race([connection.closed, aborted(wire.signal)]);
  await desk.closeAll();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

type BeginRequest = NewSessionRequest | LoadSessionRequest | ResumeSessionRequest;

/** The sessions that are open, and what is known of the editor. */
function createDesk(program: EditorProgram) {
  const sessions = new Map<string, EditorSession>();
  let capabilities: ClientCapabilities = {};
  let surface = "editor";
  let isClosed = false;
  const session = (id: string): EditorSession => {
    const found = sessions.get(id);
    if (found === undefined) throw RequestError.resourceNotFound(id);
    return found;
  };
  const open = async (client: AgentContext, params: BeginRequest): Promise<EditorSession> => {
    const resume = "sessionId" in params ? params.sessionId : null;
    const known = resume === null ? undefined : sessions.get(resume);
    if (known !== undefined) return known;
    if (resume !== null && !/^[\w-]{1,80}$/.test(resume)) throw RequestError.resourceNotFound(fitted(resume, 100));
    const wish = { directory: params.cwd, addedDirectories: params.additionalDirectories ?? [], resume };
    const opened = await openEditorSession({ program, client, capabilities, surface, wish });
    if ("problem" in opened) {
      if (opened.isUnknown === true) throw RequestError.resourceNotFound(resume ?? "");
      throw RequestError.invalidParams(undefined, opened.problem);
    }
    if (isClosed || (resume !== null && opened.id !== resume)) {
      await opened.close();
      throw RequestError.resourceNotFound(resume ?? opened.id);
    }
    sessions.set(opened.id, opened);
    return opened;
  };
  return {
    session,
    initialize(
      known: ClientCapabilities | undefined,
      info: { name: string; title?: string | null } | null | undefined,
    ) {
      capabilities = known ?? {};
      const name = fitted(info?.title ?? info?.name ?? "", 40).trim();
      surface = name === "" ? "editor" : name;
      return introduction(program, capabilities);
    },
    async begin(client: AgentContext, params: BeginRequest, how: "new" | "load" | "resume") {
      const opened = await open(client, params);
      if (how === "load") opened.replay();
      const unused = (params.mcpServers ?? []).map(nameOf);
      if (unused.length > 0)
        opened.tell(`MCP servers are not used yet: ${fitted(unused.join(", "), 300)} will not be there.`);
      /** Behind the answer to this request: an editor takes nothing of a session that it does not know. */
      setImmediate(() => opened.begin());
      const facts = opened.facts();
      return { sessionId: opened.id, ...facts };
    },
    async close(id: string): Promise<void> {
      const open = session(id);
      sessions.delete(id);
      await open.close();
    },
    async closeAll(): Promise<void> {
      isClosed = true;
      await Promise.all([...sessions.values()].map((one) => one.close()));
    },
  };
}

function nameOf(server: McpServer): string {
  return server.name;
}

function introduction(program: EditorProgram, capabilities: ClientCapabilities): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "groundplan", title: "Groundplan", version: program.version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} },
    },
    authMethods: authMethods(capabilities),
  };
}

const auth = { key: "environment-key", terminal: "terminal", scout: "scout" } as const;

function authMethods({ auth: known }: ClientCapabilities): AuthMethod[] {
  const terminal: AuthMethod = {
    type: "terminal",
    id: auth.terminal,
    name: "Set up in a terminal",
    description: "Says which keys are found, and where to put one",
    args: ["--setup"],
  };
  return [
    {
      id: auth.key,
      name: "Key in the environment",
      description: "A model provider's key, set where the editor starts",
    },
    ...(known?.terminal === true ? [terminal] : []),
    { id: auth.scout, name: "No key", description: "scout, the built-in planner, works offline" },
  ];
}

function authenticate(method: string, { missingKey }: EditorProgram): Record<string, never> {
  if (!Object.values(auth).some((known) => known === method))
    throw RequestError.invalidParams(undefined, `there is no method ${fitted(method, 100)}`);
  const missing = method === auth.scout ? null : missingKey();
  if (missing !== null) throw RequestError.authRequired(undefined, missing);
  return {};
}

async function chooseMode(session: EditorSession, name: string): Promise<void> {
  const mode = modes.find((one) => one === name);
  if (mode === undefined) throw RequestError.invalidParams(undefined, `there is no mode ${fitted(name, 100)}`);
  await session.setMode(mode);
}
