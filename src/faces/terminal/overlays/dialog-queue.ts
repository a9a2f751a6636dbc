/** Dialogs one at a time, in the order they came; the first has the keys and the place of the input. */
import type { Component, DialogHost } from "./surface.ts";

export interface DialogQueue extends DialogHost {
  current(): Component | null;
  /** How many stand behind the first. */
  waiting(): number;
}

export interface QueueListener {
  readonly changed: () => void;
  /** A dialog has come to the front: somebody is being asked. */
  readonly asked: () => void;
}

export function createDialogQueue({ changed, asked }: QueueListener): DialogQueue {
  const waiting: Component[] = [];
  return {
    current: () => waiting[0] ?? null,
    waiting: () => Math.max(0, waiting.length - 1),
    show(component) {
      waiting.push(component);
      if (waiting.length === 1) asked();
      changed();
      return () => {
        const at = waiting.indexOf(component);
        if (at === -1) return;
        waiting.splice(at, 1);
        if (at === 0 && waiting.length > 0) asked();
        changed();
      };
    },
  };
}
