/** The list of shortcuts. */
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { shortcuts } from "./page-keys.ts";
import type { Dispatch } from "./props.ts";

export function Shortcuts({ dispatch }: { readonly dispatch: Dispatch }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dispatch({ type: "opened", what: null });
  return (
    <dialog ref={dialog} class="shortcuts" aria-label="Keyboard shortcuts" onClose={close}>
      <h2>Keyboard</h2>
      <dl>
        {shortcuts.map(({ keys, does }) => (
          <>
            <dt>
              {Object.keys(keys).map((key) => (
                <kbd>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
