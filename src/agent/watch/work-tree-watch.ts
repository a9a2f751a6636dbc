/** The record of what changed while planning: begun at entry, asked at submission, ended at exit (B1.6). */

export interface WorkTreeWatch {
  /** Takes the first picture in the background. */
  begin(): void;
  /** What differs from it now, the plan aside; empty while nothing was begun. */
  changed(): Promise<readonly string[]>;
  end(): Promise<readonly string[]>;
}

export interface WorkTreePictures<Picture> {
  readonly take: () => Promise<Picture>;
  /** Never throws. */
  readonly compare: (before: Picture) => Promise<readonly string[]>;
}

export function watchWorkTree<Picture>({ take, compare }: WorkTreePictures<Picture>): WorkTreeWatch {
  let begun: Promise<Picture> | null = null;
  const changed = async (): Promise<readonly string[]> => (begun === null ? [] : compare(await begun));
  return {
    begin: () => {
      begun ??= take();
    },
    changed,
    end: async () => {
      const result = await changed();
      begun = null;
      return result;
    },
  };
}
