/** The door of the page process for hooks: HTTP over a socket in a folder of this person alone, and a secret besides. */
import { randomBytes, timingSafeEqual, createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, unlink } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makePrivateFolder } from "../../agent/host/config-home.ts";
import {
  readAnsweredBody,
  readPresentBody,
  readReceivedBody,
  secretHeader,
  type ListLine,
  type PresentLine,
} from "../../clients/review/wire.ts";
import type { Office } from "./office.ts";

export interface HookDoor {
  readonly socket: string;
  readonly secret: string;
  close(): Promise<void>;
}

export async function openHookDoor(
  home: string,
  office: Pick<Office, "present" | "answered" | "received" | "list">,
): Promise<HookDoor> {
  const secret = randomBytes(32).toString("base64url");
  const socket = await socketPlace(home);
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    answer({ request, response, secret, office }).catch(() => response.destroy());
  });
  server.listen(socket);
  await once(server, "listening");
  if (process.platform !== "win32") await chmod(socket, 0o600);
  return {
    socket,
    secret,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      setTimeout(() => server.closeAllConnections(), lastAnswersMs).unref();
      await closed;
      await leave(home, socket);
    },
  };
}

const lastAnswersMs = 1000;

/** In the config home; where its path is too long for a socket, in a folder that was made for it alone. What a killed run left is removed. */
async function socketPlace(home: string): Promise<string> {
  const name = `${randomBytes(6).toString("hex")}.sock`;
  if (process.platform === "win32") return `\\\\.\\pipe\\groundplan-${randomBytes(16).toString("hex")}`;
  const folder = join(home, "reviews");
  await makePrivateFolder(folder);
  for (const old of await readdir(folder)) {
    if (/^[0-9a-f]{12}\.sock$/.test(old)) await unlink(join(folder, old)).catch(() => undefined);
  }
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= longestPath) return path;
  return join(await mkdtemp(join(tmpdir(), "groundplan-")), name);
}

/** Systems take 103 bytes at least. */
const longestPath = 100;

async function leave(home: string, socket: string): Promise<void> {
  await unlink(socket).catch(() => undefined);
  if (dirname(socket) !== join(home, "reviews")) await rm(dirname(socket), { recursive: true, force: true });
}

interface DoorCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly secret: string;
  readonly office: Pick<Office, "present" | "answered" | "received" | "list">;
}

async function answer({ request, response, secret, office }: DoorCall): Promise<void> {
  const given = request.headers[secretHeader];
  if (request.method !== "POST" || typeof given !== "string" || !isSame(given, secret)) return end(response, 403);
  const text = await bodyOf(request);
  if (text === null) return end(response, 413);
  if (request.url === "/ping") return end(response, 200);
  if (request.url === "/answered") {
    const body = readAnsweredBody(text);
    if (body === null) return end(response, 400);
    await office.answered(body);
    return end(response, 200);
  }
  if (request.url === "/received") {
    const body = readReceivedBody(text);
    if (body === null) return end(response, 400);
    await office.received(body);
    return end(response, 200);
  }
  if (request.url === "/list") {
    const line: ListLine = { link: await office.list() };
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.end(`${JSON.stringify(line)}\n`);
    return;
  }
  const body = request.url === "/present" ? readPresentBody(text) : null;
  if (body === null) return end(response, 400);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  response.flushHeaders();
  const say = (line: PresentLine): void => void response.write(`${JSON.stringify(line)}\n`);
  const said = await office.present(body, { say, signal: gone.signal });
  if (said !== null) say({ answer: said });
  response.end();
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

/** Null where it is longer than any plan that is taken. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > mostBytes) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A plan of 2 MB, each of its characters escaped. */
const mostBytes = 16 * 1024 * 1024;

function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash("sha256").update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(first, second);
}
