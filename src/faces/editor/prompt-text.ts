/** A prompt's parts as the text that the session hears; what it cannot hear is refused, never dropped. */
import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { Prompts } from "../../prompts/index.ts";
import { withAttachedText } from "../../prompts/render/opening.ts";

export function promptText(
  blocks: readonly ContentBlock[],
  prompts: Prompts,
): { readonly text: string } | { readonly problem: string } {
  let words = "";
  const attached: { readonly name: string; readonly text: string }[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        words += block.text;
        break;
      case "resource_link":
        words += ` ${nameOf(block.uri)} `;
        break;
      case "resource": {
        const { resource } = block;
        if (!("text" in resource))
          return { problem: `${nameOf(resource.uri)} is not text: only text can be attached.` };
        words += ` ${nameOf(resource.uri)} `;
        attached.push({ name: nameOf(resource.uri), text: resource.text });
        break;
      }
      default:
        return { problem: `A prompt may hold text and files, no ${block.type}.` };
    }
  }
  const said = words.trim();
  if (said === "") return { problem: "There are no words in it." };
  return { text: attached.reduce((text, one) => withAttachedText(prompts, text, one), said) };
}

/** A path where it is one of this machine. */
function nameOf(uri: string): string {
  if (!uri.startsWith("file://")) return uri;
  try {
    return fileURLToPath(uri.replace(/[#?].*$/, ""));
  } catch {
    return uri;
  }
}
