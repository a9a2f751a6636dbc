/** Fetches a page as text. */
import * as z from "zod";
import { defineTool, type Tool } from "../ports.ts";
import { refused, told, wholeCharacters } from "./output.ts";

const input = z.strictObject({ url: z.string().min(1).max(4000) });

export const webFetchTool: Tool = defineTool<z.infer<typeof input>>({
  name: "WebFetch",
  input,
  describe: (prompts) => prompts("tools/web-fetch"),
  claim: ({ url }) => {
    const { href, hostname } = new URL(url);
    return {
      access: { kind: "fetch", url: href, method: "GET" },
      subjects: [{ rule: "WebFetch", parts: [`domain:${hostname}`] }],
    };
  },
  async run(_, { access, web, signal, prompts }) {
    if (access.kind !== "fetch") throw new Error(`A ${access.kind} access names no address.`);
    const { url } = access;
    const result = await web.fetchText(url, signal);
    switch (result.kind) {
      case "failed":
        return refused(prompts("results/tool-fetch-failed", { url, reason: result.reason }));
      case "redirect":
        return told(prompts("results/tool-redirect", { url, target: result.url }));
      case "page": {
        if (result.text.trim() === "") return told(prompts("results/tool-page-empty", { url: result.url }));
        const isCut = result.truncated || result.text.length > textLimit;
        const text = wholeCharacters(result.text.slice(0, textLimit));
        return told(isCut ? `${text}\n\n${prompts("results/tool-page-cut")}` : text);
      }
    }
  },
});

const textLimit = 60_000;
