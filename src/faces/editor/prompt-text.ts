/** A prompt's parts as the text that the session hears; what it cannot hear is refused, never dropped. */
import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { EditorWords } from "./link.ts";

export function promptText(
  blocks: readonly ContentBlock[],
  words: EditorWords,
): { readonly text: string } | { readonly problem: string } {
  let typed = "";
  const attached: { readonly name: string; readonly text: string }[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        typed += block.text;
        break;
      case "resource_link":
        typed += ` ${nameOf(block.uri)} `;
        break;
      case "resource": {
        const { resource } = block;
        if (!("text" in resource))
          return { problem: `${nameOf(resource.uri)} is not text: only text can be attached.` };
        typed += ` ${nameOf(resource.uri)} `;
        attached.push({ name: nameOf(resource.uri), text: resource.text });
        break;
      }
      default:
        return { problem: `A prompt may hold text and files, no ${block.type}.` };
    }
  }
  const said = typed.trim();
  if (said === "") return { problem: "There are no words in it." };
  return { text: attached.reduce((text, one) => words.attached(text, one), said) };
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
