/** What was opened, to be closed again: the last one first, each once, also when one of them fails. */

export type Close = () => void | Promise<void>;

export type Closers = ReturnType<typeof createClosers>;

export function createClosers() {
  const stack = new Set<Close>();
  let isClosed = false;
  return {
    /** Added again, it moves to the top: what rests on others is closed before them. Added after the end, it is closed at once. */
    add(close: Close): void {
      if (isClosed) return void close();
      stack.delete(close);
      stack.add(close);
    },
    /** It stays. */
    drop: (close: Close): void => void stack.delete(close),
    /** Rejects with the first failure, when all have had their turn. */
    async close(): Promise<void> {
      isClosed = true;
      const all = [...stack].toReversed();
      stack.clear();
      await closeAll(all);
    },
  };
}

/** In the order given. */
export async function closeAll(all: readonly Close[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of all) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
