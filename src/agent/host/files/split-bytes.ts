/** Splits bytes that come in chunks at a mark, with bounded memory: of a piece longer than `longest` only the beginning is kept. */

export interface SplitPiece {
  /** Valid until the next chunk. */
  readonly bytes: Buffer;
  /** How long the whole piece was, without the mark. */
  readonly length: number;
}

export function splitBytes(mark: number, longest: number) {
  let held: Buffer[] = [];
  let length = 0;
  const hold = (bytes: Buffer): void => {
    if (bytes.length > 0 && length < longest) held.push(bytes.subarray(0, longest - length));
    length += bytes.length;
  };
  const take = (): SplitPiece => {
    const piece = { bytes: held.length === 1 ? held[0]! : Buffer.concat(held), length };
    held = [];
    length = 0;
    return piece;
  };
  return {
    /** The pieces that end in this chunk. */
    *add(chunk: Buffer): Generator<SplitPiece, void, undefined> {
      let from = 0;
      for (let at = chunk.indexOf(mark); at >= 0; at = chunk.indexOf(mark, from)) {
        hold(chunk.subarray(from, at));
        from = at + 1;
        yield take();
      }
      hold(Buffer.from(chunk.subarray(from)));
    },
    /** What no mark ends. */
    rest: (): readonly SplitPiece[] => (length === 0 ? [] : [take()]),
  };
}
