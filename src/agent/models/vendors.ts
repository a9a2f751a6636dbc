/** The provider libraries, each loaded only when it is used, and where their servers are. */
import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { ModelError } from "../ports/model.ts";
import { addressVariables, type Environment, type Provider } from "./name.ts";
import type { Wire } from "./prompt.ts";

export interface Address {
  readonly wire: Wire;
  /** Undefined: the provider's own server. */
  readonly baseUrl: string | undefined;
}

const versions: Readonly<Record<Provider, string>> = { anthropic: "v1", openai: "v1", google: "v1beta" };

/**
 * Where to send requests and in which wire format. For openai: its own server is spoken to by the Responses API; a server
 * that OPENAI_BASE_URL names by chat completions, as compatible servers mostly know no other, unless the address ends in
 * `/responses`. An address may have a path prefix and may leave out the version (`/v1`).
 */
export function addressFor(provider: Provider, environment: Environment): Address | ModelError {
  const text = environment[addressVariables[provider]]?.trim() ?? "";
  if (text === "") return { wire: provider === "openai" ? "responses" : provider, baseUrl: undefined };
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return { code: "bad-request", message: `${addressVariables[provider]} is not a web address: write http(s)://….` };
  }
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, "");
  const isResponses = provider === "openai" && path.endsWith("/responses");
  const prefix = isResponses ? path.slice(0, -"/responses".length) : path.replace(/\/chat\/completions$/, "");
  const hasVersion = prefix.split("/").some((segment) => /^v\d+(alpha|beta)?\d*$/.test(segment));
  const baseUrl = `${url.origin}${prefix}${hasVersion ? "" : `/${versions[provider]}`}`;
  if (provider !== "openai") return { wire: provider, baseUrl };
  return { wire: isResponses ? "responses" : "chat", baseUrl };
}

export interface VendorOptions {
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

export type OpenModel = (model: string) => LanguageModelV3;

export function loadVendor(wire: Wire, { apiKey, fetch, baseUrl }: VendorOptions): Promise<OpenModel> {
  return loaders[wire]({ apiKey, fetch, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) });
}

interface LibrarySettings {
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch;
  readonly baseURL?: string;
}

const loaders: Readonly<Record<Wire, (settings: LibrarySettings) => Promise<OpenModel>>> = {
  async anthropic(settings) {
    const provider = (await import("@ai-sdk/anthropic")).createAnthropic(settings);
    return (model) => provider.languageModel(model);
  },
  async responses(settings) {
    const provider = (await import("@ai-sdk/openai")).createOpenAI(settings);
    return (model) => provider.responses(model);
  },
  async chat({ baseURL = "", ...settings }) {
    const library = await import("@ai-sdk/openai-compatible");
    const provider = library.createOpenAICompatible({ ...settings, baseURL, name: "compatible", includeUsage: true });
    return (model) => provider.languageModel(model);
  },
  async google(settings) {
    const provider = (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings);
    return (model) => provider.languageModel(model);
  },
};
