/** What a request says in each wire format: the tools on offer, the results that the model has not read before, the first words. */
import { isObject } from "../../core/wire/shape.ts";
import type { LoopbackBody, LoopbackRequest, LoopbackWire } from "../../testing/loopback/turn.ts";
import type { OfferedTool } from "../agents/row.ts";

type Thing = Readonly<Record<string, unknown>>;

interface Reader {
  readonly tools: (body: LoopbackBody) => readonly OfferedTool[];
  readonly results: (body: LoopbackBody) => readonly string[];
  /** How many results the model was ever told. */
  readonly resultCount: (body: LoopbackBody) => number;
  /** What the conversation began with, as JSON. */
  readonly opening: (body: LoopbackBody) => string;
}

const readers: Readonly<Record<LoopbackWire, Reader>> = {
  anthropic: {
    tools: ({ tools }) => things(tools).map((tool) => offered(tool["name"], tool["input_schema"])),
    results: ({ messages }) => {
      const last = things(messages).findLast(({ role }) => role === "user");
      return anthropicResults(last === undefined ? [] : [last]);
    },
    resultCount: ({ messages }) => anthropicResults(things(messages)).length,
    opening: ({ messages }) => JSON.stringify(things(messages).slice(0, 1)),
  },
  chat: {
    tools: ({ tools }) => things(tools).map(({ function: of }) => offered(thing(of)["name"], thing(of)["parameters"])),
    results: ({ messages }) => {
      const all = things(messages);
      return chatResults(all.slice(all.findLastIndex(({ role }) => role === "assistant") + 1));
    },
    resultCount: ({ messages }) => chatResults(things(messages)).length,
    opening: ({ messages }) =>
      JSON.stringify(
        things(messages)
          .filter(({ role }) => role === "user")
          .slice(0, 2),
      ),
  },
  responses: {
    tools: ({ tools }) => things(tools).flatMap(responsesTools),
    results: ({ input }) => {
      const all = things(input);
      const said = all.findLastIndex(({ type, role }) => String(type).endsWith("_call") || role === "assistant");
      return responsesResults(all.slice(said + 1));
    },
    resultCount: ({ input }) => responsesResults(things(input)).length,
    opening: ({ input }) => JSON.stringify(input ?? null),
  },
  google: {
    tools: ({ tools }) =>
      things(tools).flatMap(({ functionDeclarations }) =>
        things(functionDeclarations).map((each) =>
          offered(each["name"], each["parametersJsonSchema"] ?? each["parameters"]),
        ),
      ),
    results: ({ contents }) => googleResults(things(contents).slice(-1)),
    resultCount: ({ contents }) => googleResults(things(contents)).length,
    opening: ({ contents }) => JSON.stringify(things(contents).slice(0, 2)),
  },
};

export function offeredTools({ wire, body }: LoopbackRequest): readonly OfferedTool[] {
  return readers[wire].tools(body).filter(({ name }) => name !== "");
}

export function freshResults({ wire, body }: LoopbackRequest): readonly string[] {
  return readers[wire].results(body);
}

export function resultCount({ wire, body }: LoopbackRequest): number {
  return readers[wire].resultCount(body);
}

export function openingOf({ wire, body }: LoopbackRequest): string {
  return readers[wire].opening(body);
}

function anthropicResults(messages: readonly Thing[]): string[] {
  return messages
    .flatMap(({ content }) => things(content))
    .filter(({ type }) => type === "tool_result")
    .map(({ content }) => textIn(content));
}

function chatResults(messages: readonly Thing[]): string[] {
  return messages.filter(({ role }) => role === "tool").map(({ content }) => textIn(content));
}

function responsesResults(items: readonly Thing[]): string[] {
  return items.filter(({ type }) => String(type).endsWith("_call_output")).map(({ output }) => textIn(output));
}

function googleResults(contents: readonly Thing[]): string[] {
  return contents
    .flatMap(({ parts }) => things(parts))
    .flatMap(({ functionResponse }) => {
      if (!isObject(functionResponse)) return [];
      const { output, error } = thing(functionResponse["response"]);
      return [textIn(output ?? error ?? functionResponse["response"])];
    });
}

/** A namespace holds tools of its own. */
function responsesTools(tool: Thing): OfferedTool[] {
  if (tool["type"] === "namespace") return things(tool["tools"]).flatMap(responsesTools);
  return [offered(tool["name"] ?? tool["type"], tool["parameters"])];
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content ?? null);
  return things(content)
    .map((part) => (typeof part["text"] === "string" ? part["text"] : JSON.stringify(part)))
    .join("\n");
}

function offered(name: unknown, schema: unknown): OfferedTool {
  return { name: typeof name === "string" ? name : "", schema: thing(schema) };
}

function things(value: unknown): readonly Thing[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function thing(value: unknown): Thing {
  return isObject(value) ? value : {};
}
