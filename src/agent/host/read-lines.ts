/** Lines from another program, which may send anything. */
import { StringDecoder } from "node:string_decoder";
import type { Readable } from "node:stream";
import { errorText } from "../../core/error-text.ts";

/**
 * Line by line; a line ends with LF alone, so that whatever JSON may hold is in it. Null stands for one that is too long to be kept. Ends
 * with the input, and with the signal.
 */
export async function* readLines(
  input: Readable,
  { signal, complain }: { readonly signal: AbortSignal; readonly complain: (line: string) => void },
): AsyncGenerator<string | null> {
  const decoder = new StringDecoder("utf8");
  let open: string[] = [];
  let length = 0;
  const stop = (): void => void input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) return;
    for await (const chunk of input) {
      const parts = decoder.write(Buffer.from(chunk as Buffer)).split("\n");
      for (const [at, part] of parts.entries()) {
        length += part.length;
        if (length <= longest) open.push(part);
        if (at === parts.length - 1) break;
        yield length > longest ? null : open.join("");
        open = [];
        length = 0;
      }
    }
    if (length > 0) yield length > longest ? null : open.join("") + decoder.end();
  } catch (error) {
    if (!signal.aborted) complain(`stdin cannot be read: ${errorText(error)}`);
  } finally {
    signal.removeEventListener("abort", stop);
    input.destroy();
  }
}

const longest = 16 * 1024 * 1024;
