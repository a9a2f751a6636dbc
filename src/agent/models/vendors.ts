/** The provider libraries, each loaded only when it is used, and where their servers are. */
import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { ModelError } from "../ports/model.ts";
import type { Wire } from "./prompt.ts";
import type { Environment, ProviderRow } from "./providers.ts";

export interface ServerAddress {
  readonly wire: Wire;
  /** Undefined: the one that the wire's library knows. */
  readonly baseUrl: string | undefined;
  /** Whether it is another server than the provider's own. */
  readonly isOther: boolean;
}

/** Where to send requests and in which wire format. An address may have a path prefix and may leave out the version (`/v1`). */
export function addressFor(row: ProviderRow, environment: Environment): ServerAddress | ModelError {
  const { wire, address, addressVariable, version, hasCompatible = false } = row;
  const text = environment[addressVariable]?.trim() ?? "";
  if (text === "") return { wire, baseUrl: address, isOther: false };
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return { code: "bad-request", message: `${addressVariable} is not a web address: write http(s)://….` };
  }
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, "");
  const isResponses = hasCompatible && path.endsWith("/responses");
  const prefix = isResponses ? path.slice(0, -"/responses".length) : path.replace(/\/chat\/completions$/, "");
  const hasVersion = prefix.split("/").some((segment) => /^v\d+(alpha|beta)?\d*$/.test(segment));
  const baseUrl = `${url.origin}${prefix}${hasVersion ? "" : `/${version}`}`;
  const others = isResponses ? "responses" : "chat";
  return { wire: hasCompatible ? others : wire, baseUrl, isOther: true };
}

type OpenModel = (model: string) => LanguageModelV3;

interface LibrarySettings {
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch;
  readonly baseURL?: string;
}

export function loadVendor(wire: Wire, settings: LibrarySettings): Promise<OpenModel> {
  return loaders[wire](settings);
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
