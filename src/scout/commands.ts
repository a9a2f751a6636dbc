/** The project's own commands to verify a change. */
export function commandsOf(root: string, paths: readonly string[]): readonly string[] {
  return root === "" ? paths : [];
}
