/** What deny rules on reading refuse, as it lies on disk: what tools ask before they read, and what a cage hides (B1.14). */

export interface RefusedFiles {
  /** No rule refuses anything. */
  readonly isEmpty: boolean;
  /** The names under which the rules refuse the file that lies here, whatever it is called here; none for any other. */
  namesOf(path: string): Promise<readonly string[]>;
  /** Whether some of it lies below the folder, or (null) anywhere; true where that cannot be said. */
  isBelow(folder: string | null): Promise<boolean>;
  /** Real paths of all of it; null where there is too much to be looked at. */
  toHide(): Promise<readonly string[] | null>;
}

export const nothingRefused: RefusedFiles = {
  isEmpty: true,
  namesOf: async () => [],
  isBelow: async () => false,
  toHide: async () => [],
};
