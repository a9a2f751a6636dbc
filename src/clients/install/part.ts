/** One file of a client that an install touches: how ours gets in and out again. */
import type { Edited } from "./hooks-text.ts";

export interface Part {
  /** As the client knows it. */
  readonly file: string;
  /** The same text where ours is in it already. `old`: the texts that an earlier install inserted, as far as that is known. */
  readonly put: (text: string, old: readonly string[]) => Edited;
  readonly take: (text: string, old: readonly string[]) => Edited;
  /** Whether anything of ours is in it. */
  readonly isIn: (text: string) => boolean;
  /** Whether nobody would miss a file of this text. */
  readonly isEmpty: (text: string) => boolean;
  /** It goes with ours, whoever made it. */
  readonly isAllOurs?: boolean;
  /** It serves every install for this agent, of whatever scope, and goes with the last one. */
  readonly isShared?: boolean;
}
