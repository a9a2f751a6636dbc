/** The providers' language models (and compatible servers') behind one port; a provider loads when first used. */
import type { Model, ModelDelta, ModelError } from "../ports/model.ts";
import { createHttp, type HttpOptions } from "./http.ts";
import type { RemoteModelName } from "./name.ts";
import { streamOnce } from "./provider.ts";
import { keyOf, providerRow } from "./providers.ts";
import { defaultRetryPolicy, withRetries, type RetryPolicy } from "./retry.ts";
import { addressFor, loadVendor } from "./vendors.ts";

export { contextWindowOf, costUsd } from "./providers.ts";
export { chooseModel, formatModelName, hasOwnAddress, parseModelName, smallModelOf } from "./name.ts";
export type { ModelChoice, ModelName, RemoteModelName } from "./name.ts";
export type { Provider } from "./providers.ts";
export type { RetryPolicy } from "./retry.ts";

export interface ConnectOptions extends Omit<HttpOptions, "lookup"> {
  readonly retry?: Partial<RetryPolicy>;
}

export interface ConnectedModel extends Model {
  /** Ends the connections that are kept alive; they never keep the process from ending. */
  close(): void;
}

/** A connection to the name's provider: it serves any model of that provider, as each request says. */
export async function connectModel(
  name: RemoteModelName,
  options: ConnectOptions,
): Promise<ConnectedModel | ModelError> {
  const { provider } = name;
  const { environment, retry, ...limits } = options;
  const row = providerRow(provider);
  const address = addressFor(row, environment);
  if ("code" in address) return address;
  const { wire, baseUrl, isOther } = address;
  const secret = keyOf(row, environment);
  if (secret === "" && !(isOther && wire === "chat")) {
    return { code: "no-key", message: `There is no key for ${provider}: set ${row.keyVariable}.` };
  }
  const http = createHttp({ environment, ...limits });
  const open = await loadVendor(wire, {
    apiKey: secret,
    fetch: http.fetch,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  });
  const policy = { ...defaultRetryPolicy, ...retry };
  return {
    stream: (request, signal) => {
      const endpoint = { provider, model: request.model, secret, ownAddress: isOther };
      const attempt = { request, wire, endpoint, model: open(request.model) };
      return withOneListener(signal, (own) => withRetries(() => streamOnce(attempt, own), policy, own));
    },
    close: () => http.close(),
  };
}

/** However many attempts and waits there are, the caller's signal gets one listener, gone when the stream ends. */
async function* withOneListener(
  signal: AbortSignal,
  stream: (own: AbortSignal) => AsyncIterable<ModelDelta>,
): AsyncGenerator<ModelDelta> {
  const own = new AbortController();
  const abort = (): void => own.abort();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    yield* stream(own.signal);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

export function isModelError(value: ConnectedModel | ModelError): value is ModelError {
  return "code" in value;
}
