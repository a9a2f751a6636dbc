/** Completion in the input: commands with their help after `/`, files after `@`. */
import { fuzzyFilter, type AutocompleteItem, type AutocompleteProvider } from "@earendil-works/pi-tui";
import type { CommandDefinition } from "../../../core/commands.ts";
import { hasHidden } from "../../../core/wire/visible.ts";
import { safeLine } from "../view/safe-text.ts";

export interface CompletionSources {
  readonly commands: readonly CommandDefinition[];
  /** Paths relative to where the program works; may take a while. */
  readonly files: (signal: AbortSignal) => Promise<readonly string[]>;
}

export function completion({ commands, files }: CompletionSources): AutocompleteProvider {
  return {
    async getSuggestions(lines, line, column, { signal }) {
      const before = (lines[line] ?? "").slice(0, column);
      const command = line === 0 ? /^\/([\w-]*)$/.exec(before) : null;
      if (command !== null) {
        const items = commands.filter(({ name }) => name.startsWith(command[1]!.toLowerCase())).map(commandItem);
        return items.length === 0 ? null : { items, prefix: before };
      }
      const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
      if (file === null) return null;
      const found = await files(signal);
      const wanted = file[1]!;
      const near = wanted === "" ? found : fuzzyFilter([...found], wanted, (path) => path);
      const items = near
        .filter((path) => !hasHidden(path))
        .slice(0, mostFiles)
        .map(fileItem);
      return items.length === 0 || signal.aborted ? null : { items, prefix: `@${wanted}` };
    },
    applyCompletion(lines, line, column, item, prefix) {
      const text = lines[line] ?? "";
      if (!text.slice(0, column).endsWith(prefix)) return { lines, cursorLine: line, cursorCol: column };
      const start = text.slice(0, column - prefix.length);
      const end = text.slice(column);
      const space = end.startsWith(" ") ? "" : " ";
      const changed = [...lines];
      changed[line] = `${start}${item.value}${space}${end}`;
      return { lines: changed, cursorLine: line, cursorCol: start.length + item.value.length + 1 };
    },
  };
}

function commandItem({ name, hint, summary }: CommandDefinition): AutocompleteItem {
  return { value: `/${name}`, label: hint === "" ? `/${name}` : `/${name} ${hint}`, description: summary };
}

/** A path with blanks is quoted, so that it stays one word. */
function fileItem(path: string): AutocompleteItem {
  const value = /\s/.test(path) ? `@"${path}"` : `@${path}`;
  return { value, label: safeLine(path, 120) };
}

const mostFiles = 50;
