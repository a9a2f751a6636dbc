/** Fetches a page as text. */
import * as z from "zod";
import { defineTool, type Tool } from "./tool.ts";
import { refused, told, wholeCharacters } from "./output.ts";

const input = z.strictObject({ url: z.string().min(1).max(4000) });

export const webFetchTool: Tool = defineTool<z.infer<typeof input>>({
  name: "WebFetch",
  claims: ["fetch"],
  label: "Fetch",
  show: ({ text }) => ({ about: text("url"), result: "text" }),
  deferred: "large-list",
  searchHint: "read a web page, download a url over http",
  input,
  describe: (prompts) => prompts("tools/web-fetch"),
  async claim({ url }, { web }) {
    const { href, hostname } = new URL(url);
    const inward = await web.inward(href);
    const access = { kind: "fetch", url: href, method: "GET" } as const;
    const name = hostname.replace(/\.$/, "");
    if (inward.length === 0) return { access, subjects: [{ rule: "WebFetch", parts: [`domain:${name}`] }] };
    const subjects = inwardParts(name, inward).map((parts) => ({ rule: "WebFetch", parts, explicit: true }));
    return { access: { ...access, inward }, subjects };
  },
  async run(_, { access, web, signal, prompts }) {
    if (access.kind !== "fetch") throw new Error(`A ${access.kind} access names no address.`);
    const { url, inward = [] } = access;
    const result = await web.fetchText(url, { signal, inward });
    switch (result.kind) {
      case "failed":
        return refused(prompts("tools/web-fetch/failed", { url, reason: result.reason }));
      case "redirect":
        return told(prompts("tools/web-fetch/redirect", { url, target: result.url }));
      case "page": {
        if (result.text.trim() === "") return told(prompts("tools/web-fetch/empty", { url: result.url }));
        const isCut = result.truncated || result.text.length > textLimit;
        const text = wholeCharacters(result.text.slice(0, textLimit));
        return told(isCut ? `${text}\n\n${prompts("tools/web-fetch/cut")}` : text);
      }
    }
  },
});

/** A rule on this machine's own name is one on its address; a name that anybody may lead here needs rules on both. */
function inwardParts(name: string, inward: readonly string[]): readonly (readonly string[])[] {
  const own = [`domain:${name}`];
  const led = inward.map((address) => `domain:${address}`);
  const isThisMachine = name === "localhost" && inward.every((address) => /^(127\.[\d.]+|::1)$/.test(address));
  return isThisMachine ? [own, led] : [[...new Set([...own, ...led])]];
}

const textLimit = 60_000;
