/** The Markdown editor: CodeMirror in a shadow root, so that its styles are sheets and no style element is needed (CSP). */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { editorTheme, markdownLanguage } from "./editor-look.ts";

export interface EditorOptions {
  readonly text: string;
  /** Characters that are shown as escapes. */
  readonly hidden: RegExp;
  /** Milliseconds of rest before a change is told. */
  readonly waits: number;
  readonly onText: (text: string) => void;
  /** How far down the source is, from 0 to 1. */
  readonly onScroll: (share: number) => void;
}

/** Tells a change after a short rest, when the focus leaves, and at the end: nothing typed is lost. */
export function startEditor(host: HTMLElement, { text, hidden, waits, onText, onScroll }: EditorOptions): () => void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  let timer: number | null = null;
  const tell = (): void => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    onText(view.state.sliceDoc());
  };
  const state = EditorState.create({
    doc: text,
    extensions: [
      EditorState.lineSeparator.of("\n"),
      lineNumbers(),
      highlightSpecialChars({ specialChars: hidden }),
      history(),
      drawSelection(),
      highlightActiveLine(),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Source of the plan", tabindex: "0" }),
      markdownLanguage(),
      editorTheme(),
      EditorView.updateListener.of(({ docChanged }) => {
        if (!docChanged) return;
        if (timer !== null) clearTimeout(timer);
        timer = window.setTimeout(tell, waits);
      }),
      EditorView.domEventHandlers({ blur: tell }),
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  const scrolled = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = view.scrollDOM;
    onScroll(scrollHeight <= clientHeight ? 0 : scrollTop / (scrollHeight - clientHeight));
  };
  view.scrollDOM.addEventListener("scroll", scrolled, { passive: true });
  view.focus();
  return () => {
    tell();
    view.destroy();
  };
}
