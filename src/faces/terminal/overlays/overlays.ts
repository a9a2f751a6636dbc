/** What the person calls up over the input: a list to choose from, the transcript to read back. */
import type { chooseOne, Choosing, Option } from "./choose.ts";
import type { DialogQueue } from "./dialog-queue.ts";
import type { readBack, ReadBackParts } from "./reader.ts";
import type { Surface } from "./surface.ts";

export interface OverlayParts {
  readonly dialogs: DialogQueue;
  readonly surface: Surface;
  readonly load: () => Promise<LateParts>;
  /** Types into the line behind; whether words stand there then. */
  readonly typed: (data: string) => boolean;
  readonly reading: () => ReadBackParts;
}

export interface LateParts {
  readonly chooseOne: typeof chooseOne;
  readonly readBack: typeof readBack;
}

export interface Overlays {
  /** Null when the person wants none of them. */
  readonly choose: (title: string, options: readonly Option[]) => Promise<string | null>;
  /** The same where nobody called it up: what was being typed does not answer it (B2.4). */
  readonly ask: (title: string, options: readonly Option[]) => Promise<string | null>;
  readonly readBack: () => void;
}

export function createOverlays({ dialogs, surface, load, typed, reading }: OverlayParts): Overlays {
  const shown = async (choosing: Choosing): Promise<string | null> => {
    const loaded = await load();
    return new Promise((resolve) => {
      const done = (value: string | null): void => {
        close();
        resolve(value);
      };
      const close = dialogs.show(loaded.chooseOne(choosing, surface, done));
    });
  };
  return {
    choose: (title, options) => shown({ title, options }),
    ask: (title, options) => shown({ title, options, typed }),
    readBack: () =>
      void load().then((loaded) => {
        const close = dialogs.show(loaded.readBack(reading(), surface, () => close()));
      }),
  };
}
