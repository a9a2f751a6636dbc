/** Parts that are loaded when they are first wanted. */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

interface LazyProps<Part> {
  readonly load: () => Promise<Part>;
  readonly children: (part: Part) => ComponentChildren;
}

export function Lazy<Part>({ load, children }: LazyProps<Part>): VNode {
  const { part, problem } = useLoaded(load);
  if (part !== null) return <>{children(part)}</>;
  return (
    <p class="loading" role="status">
      {problem ? "This part could not be loaded. Is the program still running?" : ""}
    </p>
  );
}

/** `load` is called once. */
export function useLoaded<Part>(load: () => Promise<Part>): { readonly part: Part | null; readonly problem: boolean } {
  const [loaded, setLoaded] = useState<{ readonly part: Part | null; readonly problem: boolean }>(nothing);
  useEffect(() => {
    let isGone = false;
    load().then(
      (part) => !isGone && setLoaded({ part, problem: false }),
      () => !isGone && setLoaded({ part: null, problem: true }),
    );
    return () => {
      isGone = true;
    };
  }, []);
  return loaded;
}

const nothing = { part: null, problem: false } as const;
