/** What the person calls up over the input: a list to choose from, the transcript to read back. */
import { chooseOne, type Choosing, type Option } from "./choose.ts";
import { readBack, type ReadBackParts } from "./reader.ts";
import type { DialogHost, Surface } from "./surface.ts";

export interface OverlayParts {
  readonly dialogs: DialogHost;
  readonly surface: Surface;
  /** Types into the line behind; whether words stand there then. */
  readonly typed: (data: string) => boolean;
  readonly reading: () => ReadBackParts;
}

type Choose = (title: string, options: readonly Option[]) => Promise<string | null>;

export interface Overlays {
  /** Null when the person wants none of them. */
  readonly choose: Choose;
  /** The same where nobody called it up: what was being typed does not answer it (B2.4). */
  readonly ask: Choose;
  readonly readBack: () => void;
}

export function createOverlays({ dialogs, surface, typed, reading }: OverlayParts): Overlays {
  const shown = (choosing: Choosing): Promise<string | null> =>
    new Promise((resolve) => {
      const close = dialogs.show(
        chooseOne(choosing, surface, (value) => {
          close();
          resolve(value);
        }),
      );
    });
  return {
    choose: (title, options) => shown({ title, options }),
    ask: (title, options) => shown({ title, options, typed }),
    readBack() {
      const close = dialogs.show(readBack(reading(), surface, () => close()));
    },
  };
}
