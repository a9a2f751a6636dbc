/** When the work of a session is done. */
import type { HeadlessLink } from "./link.ts";

/** Nothing is under way any more, also not in a session that an approved plan went on in. */
export async function settled(composed: HeadlessLink): Promise<void> {
  for (;;) {
    const { handle } = composed;
    await handle.settled();
    if (handle === composed.handle) return;
  }
}
