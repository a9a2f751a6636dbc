/** The Web port: GET alone, bounded in size, time and redirects; into a private network only where that very address was let through. */
import type { Web, WebResult } from "../../ports/ports.ts";
import type { PageRequest, Resolving } from "./web-request.ts";
import { errnoOf } from "../files/file-error.ts";

export interface WebOptions extends Resolving {
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export function createWeb(options: WebOptions = {}): Web {
  return {
    async inward(url) {
      const target = parsed(url);
      if (typeof target === "string") return [];
      const { inwardOf } = await import("./web-request.ts");
      return inwardOf(target, options).catch(() => []);
    },
    async fetchText(url, { signal, inward }) {
      const late = AbortSignal.timeout(options.timeoutMs ?? 20_000);
      try {
        return await follow(url, { ...options, permitted: inward, signal: AbortSignal.any([signal, late]) });
      } catch (error) {
        signal.throwIfAborted();
        return failed(late.aborted ? "it took too long" : sentenceOf(error));
      }
    },
  };
}

const mostRedirects = 5;

type Fetching = PageRequest & WebOptions;

async function follow(asked: string, fetching: Fetching): Promise<WebResult> {
  const { getPage } = await import("./web-request.ts");
  let url = asked;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const target = parsed(url);
    if (typeof target === "string") return failed(target);
    const answer = await getPage(target, fetching);
    if (typeof answer === "string") return failed(answer);
    const { response, close } = answer;
    const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (location === null) return page(response, target, fetching).finally(close);
    close();
    if (!URL.canParse(location, target.href))
      return failed(`it redirects to something that is no address: ${location}`);
    const next = new URL(location, target);
    if (!isSameHost(target, next)) return { kind: "redirect", url: next.href };
    url = next.href;
  }
  return failed(`it redirects more than ${mostRedirects} times`);
}

function parsed(url: string): URL | string {
  if (!URL.canParse(url)) return "this is not an address (https://… is expected)";
  const target = new URL(url);
  if (target.protocol !== "https:" && target.protocol !== "http:") return "only http and https can be fetched";
  if (target.username !== "" || target.password !== "") return "an address with a name or password is not fetched";
  return target;
}

/** Another port is another service, unless the scheme alone moved it. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname || !/^https?:$/.test(to.protocol)) return false;
  return from.port === to.port && (from.protocol === to.protocol || to.protocol === "https:");
}

async function page(response: Response, url: URL, fetching: Fetching): Promise<WebResult> {
  const { status } = response;
  const type = (response.headers.get("content-type") ?? "").toLowerCase();
  const kind = kindOf(type);
  if (status >= 400 || status < 200 || kind === "binary") {
    return failed(kind === "binary" && status < 400 ? `it is ${type}, not text` : `the server answered ${status}`);
  }
  const { bytes, truncated } = await body(response, fetching);
  if (bytes.subarray(0, 8192).includes(0) && !/utf-?16/.test(type)) return failed("it is not text");
  const text = decode(bytes, type);
  const isHtml = kind === "html" || (kind === "unknown" && /^\s*<(!doctype html|html)/i.test(text));
  if (!isHtml) return { kind: "page", url: url.href, text, truncated };
  const { htmlToText } = await import("./html-text.ts");
  return { kind: "page", url: url.href, text: htmlToText(text, url.href), truncated };
}

function kindOf(type: string): "html" | "text" | "binary" | "unknown" {
  const name = type.split(";")[0]!.trim();
  if (name === "") return "unknown";
  if (name === "text/html" || name === "application/xhtml+xml") return "html";
  if (
    name.startsWith("text/") ||
    /[+/](json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-sh|graphql|sql|x-ndjson)$/.test(name)
  ) {
    return "text";
  }
  return "binary";
}

/** Counted after unpacking: a small answer may unpack to gigabytes. */
async function body(
  response: Response,
  { maxBytes = 2 * 1024 * 1024 }: Fetching,
): Promise<{ readonly bytes: Buffer; readonly truncated: boolean }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > maxBytes) break;
  }
  return { bytes: Buffer.concat(parts).subarray(0, maxBytes), truncated: length > maxBytes };
}

function decode(bytes: Buffer, type: string): string {
  const inPage = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, 2048).toString("latin1"));
  const label = /charset\s*=\s*"?([\w-]+)/.exec(type)?.[1] ?? inPage?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function failed(reason: string): WebResult {
  return { kind: "failed", reason };
}

function sentenceOf(error: unknown): string {
  const code = errnoOf(error instanceof Error ? (error.cause ?? error) : error) ?? "";
  const message = error instanceof Error ? error.message : String(error);
  return sentences[code] ?? sentences[message] ?? message;
}

const sentences: Readonly<Record<string, string>> = {
  ENOTFOUND: "no server of that name is known",
  EAI_AGAIN: "the name could not be looked up: the network is not reachable",
  ECONNREFUSED: "the server refuses the connection",
  ECONNRESET: "the server broke the connection",
  EHOSTUNREACH: "the server cannot be reached",
  ENETUNREACH: "the network is not reachable",
};
