/** The input area: pi-tui's editor with our completion, history and colours. */
import type { AutocompleteProvider, TUI } from "@earendil-works/pi-tui";
import { Editor } from "../pi-tui.ts";
import type { Style, Theme } from "../view/theme.ts";

export interface InputArea {
  lines(width: number): readonly string[];
  key(input: string): void;
  text(): string;
  /** When words that were not sent were taken away; null before. */
  clearedAt(): number | null;
  setText(text: string): void;
  insert(text: string): void;
  isCompleting(): boolean;
  remember(text: string): void;
  complete(provider: AutocompleteProvider): void;
  /** The rules above and below take the mode's colour. */
  colour(style: Style): void;
  focus(isFocused: boolean): void;
}

export interface InputOptions {
  readonly theme: () => Theme;
  readonly rows: () => number;
  readonly redraw: () => void;
  readonly submit: (text: string) => void;
}

export function createInput({ theme, rows, redraw, submit }: InputOptions): InputArea {
  const screen = {
    requestRender: redraw,
    terminal: {
      get rows() {
        return rows();
      },
    },
  };
  const editor = new Editor(
    screen as unknown as TUI,
    {
      borderColor: (text) => text,
      selectList: {
        selectedPrefix: (text) => theme().accent(text),
        selectedText: (text) => theme().selected(text),
        description: (text) => theme().dim(text),
        scrollInfo: (text) => theme().faint(text),
        noMatch: (text) => theme().dim(text),
      },
    },
    { paddingX: 2, autocompleteMaxVisible: 8 },
  );
  let rule: Style = theme().faint;
  let clearedAt: number | null = null;
  let isSent = false;
  const changing = (change: () => void): void => {
    const had = editor.getText() !== "";
    isSent = false;
    change();
    if (had && !isSent && editor.getText() === "") clearedAt = Date.now();
  };
  editor.focused = true;
  editor.onSubmit = (text) => {
    isSent = true;
    submit(text);
  };
  return {
    lines: (width) => styled(editor.render(width), theme(), rule),
    key: (input) => changing(() => editor.handleInput(input)),
    clearedAt: () => clearedAt,
    text: () => editor.getExpandedText(),
    setText: (text) => changing(() => editor.setText(text)),
    insert: (text) => editor.insertTextAtCursor(text),
    isCompleting: () => editor.isShowingAutocomplete(),
    remember: (text) => editor.addToHistory(text),
    complete: (provider) => editor.setAutocompleteProvider(provider),
    colour(style) {
      rule = style;
    },
    focus(isFocused) {
      editor.focused = isFocused;
    },
  };
}

/** The rules in the mode's colour, and `❯` in the margin of the first line. */
function styled(lines: readonly string[], theme: Theme, rule: Style): readonly string[] {
  return lines.map((line, index) => {
    if (line.startsWith("───")) return rule(line);
    return index === 1 && line.startsWith("  ") ? `${theme.accent("❯")} ${line.slice(2).trimEnd()}` : line.trimEnd();
  });
}
