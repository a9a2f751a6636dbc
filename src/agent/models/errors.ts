/** Turns whatever a provider library throws or streams into one clear sentence, and says whether trying again may help. */
import { isObject } from "../../core/wire/shape.ts";
import type { ModelError, ModelErrorCode } from "../ports/model.ts";
import { providerRow, type Provider } from "./providers.ts";
import { fieldOf, textOf, textsOf } from "./record.ts";
import { TransportError } from "./transport-error.ts";

export interface Failure {
  readonly error: ModelError;
  readonly mayRetry: boolean;
  /** What the server asked us to wait. */
  readonly retryAfterMs?: number | undefined;
}

export interface Endpoint {
  readonly provider: Provider;
  readonly model: string;
  /** The key, never to be shown. */
  readonly secret: string;
  readonly ownAddress: boolean;
}

export const abortedFailure: Failure = {
  error: { code: "aborted", message: "The request was stopped." },
  mayRetry: false,
};

export const cutFailure: Failure = {
  error: { code: "broken-stream", message: "The answer broke off before its end." },
  mayRetry: true,
};

export function describeFailure(thrown: unknown, endpoint: Endpoint, now: number): Failure {
  const chain = causesOf(thrown);
  if (chain.some((error) => textOf(error, "name") === "AbortError")) return abortedFailure;
  const transport = chain.find((error) => error instanceof TransportError);
  if (transport !== undefined) return describeTransport(transport, endpoint);
  if (chain.some(isMalformed)) return failure("broken-stream", "The server sent an answer that cannot be read.", true);
  const answer = readAnswer(thrown, endpoint);
  if (answer === undefined) {
    const words = clean(textOf(thrown, "message"), endpoint);
    return failure("bad-request", `The request to ${endpoint.provider} could not be made. ${words}`.trim());
  }
  return { ...describeAnswer(answer, endpoint), retryAfterMs: retryAfterMs(answer.headers, answer.body, now) };
}

interface ServerAnswer {
  readonly status: number;
  /** The server's own words, shortened and without the key. */
  readonly words: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function describeAnswer(answer: ServerAnswer, { provider, model, secret, ownAddress }: Endpoint): Failure {
  const { status, words, headers } = answer;
  const { keyVariable: key, addressVariable } = providerRow(provider);
  const said = words === "" ? "" : ` It said: ${words}`;
  const mayRetry = headers["x-should-retry"] !== "false";
  if (status === 401 && secret === "")
    return failure("no-key", `The server at ${addressVariable} wants a key: set ${key}.`);
  if (status === 401 || isWrongKey(answer))
    return failure(
      "wrong-key",
      `The key in ${key} was refused (${status}): check that it is complete and still valid.`,
    );
  if (status === 403) return failure("wrong-key", `The key in ${key} may not do this (403).${said}`);
  if (isContextFull(answer)) {
    const advice = "compact it, or begin a new session";
    return failure("context-full", `The conversation no longer fits into ${model}: ${advice}.`);
  }
  if (status === 404 || isUnknownModel(answer)) {
    const place = ownAddress ? ` and the address in ${addressVariable}` : "";
    const problem = `${provider} has no model ${JSON.stringify(model)} (${status})`;
    return failure("unknown-model", `${problem}: check the name${place}.`);
  }
  if (status === 429 && isOutOfCredit(answer))
    return failure("rate-limited", `The ${provider} account has no quota or credit left: see its billing page.`);
  if (status === 429) return failure("rate-limited", `${provider} limits the rate of requests (429).`, mayRetry);
  if (status === 529 || status === 503)
    return failure("overloaded", `${provider} is overloaded (${status}).`, mayRetry);
  if (status >= 500 || status === 408 || status === 409)
    return failure("server-error", `${provider} failed (${status}).${said}`, mayRetry);
  return failure("bad-request", `${provider} refused the request (${status}).${said}`);
}

function describeTransport({ kind, message }: TransportError, { provider, ownAddress }: Endpoint): Failure {
  if (kind === "broken") return cutFailure;
  if (kind === "silent") return failure("broken-stream", `${provider} fell silent: ${message}.`, true);
  const advice = ownAddress
    ? `check ${providerRow(provider).addressVariable}`
    : "check the network and the proxy settings";
  return failure("unreachable", `${provider} cannot be reached (${message}): ${advice}.`, true);
}

function isWrongKey({ status, body }: ServerAnswer): boolean {
  return status === 400 && /API_KEY_INVALID|API key (not valid|expired)|invalid.api.key/i.test(body);
}

function isOutOfCredit({ body, words }: ServerAnswer): boolean {
  return /insufficient_quota|exceeded your current quota|credit balance/i.test(body + words);
}

function isContextFull({ status, body, words }: ServerAnswer): boolean {
  if (status === 413) return true;
  const signs =
    /prompt is too long|context.?(length|window)|maximum context|exceeds? the (maximum|limit|available context)|input (is )?too long|too many (input )?tokens|input token count|reduce the length/i;
  return status >= 400 && status < 500 && status !== 429 && signs.test(body + words);
}

function isUnknownModel({ status, body, words }: ServerAnswer): boolean {
  const signs = /model_not_found|model\b.{0,80}\b(not found|does not exist|is not supported|not a valid model)/i;
  return status === 400 && signs.test(body + words);
}

function isMalformed(error: unknown): boolean {
  const text = `${textOf(error, "name")} ${textOf(error, "message")}`;
  return /AI_(JSONParse|TypeValidation|InvalidResponseData)Error|JSON parsing failed|Type validation failed/.test(text);
}

/** The several shapes in which the libraries hand on what a server answered, also in the middle of a stream. */
function readAnswer(thrown: unknown, endpoint: Endpoint): ServerAnswer | undefined {
  if (!isObject(thrown)) return undefined;
  const named = statuses[textOf(thrown, "type")] ?? statuses[textOf(thrown, "code")];
  const status = numeric(thrown["statusCode"]) ?? named ?? numeric(thrown["code"]);
  const message = textOf(thrown, "message");
  if (status === undefined && (thrown instanceof Error || message === "")) return undefined;
  return {
    status: status ?? 500,
    words: clean(message, endpoint),
    body: textOf(thrown, "responseBody") || JSON.stringify(thrown),
    headers: textsOf(thrown["responseHeaders"]),
  };
}

/** The error names that stand for a status in the middle of a stream. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  context_length_exceeded: 400,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  api_error: 500,
  server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

function clean(words: string, { secret }: Endpoint): string {
  const safe = secret.length > 3 ? words.replaceAll(secret, "…") : words;
  const line = safe.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

function failure(code: ModelErrorCode, message: string, mayRetry = false): Failure {
  return { error: { code, message }, mayRetry };
}

function causesOf(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let error = thrown; error !== undefined && error !== null && chain.length < 8; error = fieldOf(error, "cause")) {
    chain.push(error);
  }
  return chain;
}

function numeric(value: unknown): number | undefined {
  const number = Number(value);
  return number >= 300 && number < 600 ? number : undefined;
}

/** How long a server asks us to wait: its headers, or the hint that Google puts into the body. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, body: string, now: number): number | undefined {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact);
  const header = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000);
  const date = header === "" ? Number.NaN : Date.parse(header);
  if (Number.isFinite(date)) return Math.max(0, date - now);
  const hint = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return hint === undefined ? undefined : Math.ceil(Number(hint) * 1000);
}
