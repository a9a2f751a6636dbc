/** What is not to be read, as it lies on disk: what deny rules name (B1.14), and our own home but for the plans (B1.5). */

export interface RefusedFiles {
  /** No rule refuses anything. */
  readonly isEmpty: boolean;
  /** The names under which the rules refuse the file that lies here, whatever it is called here; none for any other. */
  namesOf(path: string): Promise<readonly string[]>;
  /** Whether some of it lies below the folder, or (null) anywhere; true where that cannot be said. */
  isBelow(folder: string | null): Promise<boolean>;
  /** Real paths of all of it, looked up anew; null where there is too much to be looked at. */
  toHide(): Promise<readonly string[] | null>;
  /** For searches: whether what lies here is refused, or ours, whatever it is called. */
  isHidden(): Promise<(path: string) => boolean>;
  /** Whether reading here reads what is ours alone, with a word for the person. */
  ownAt(path: string): Promise<Own | null>;
}

export interface Own {
  /** The path lies in what is ours, or it is a folder around it. */
  readonly reach: "inside" | "around";
  /** As a rule would be written. */
  readonly rule: string;
}

export const nothingRefused: RefusedFiles = {
  isEmpty: true,
  namesOf: async () => [],
  isBelow: async () => false,
  toHide: async () => [],
  isHidden: async () => () => false,
  ownAt: async () => null,
};
