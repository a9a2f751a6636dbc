/** A project's own checks: programs that run its tests, types, style or build, and write caches while they do (data, B1.16). */

const always = new Set(
  (
    "ava biome bundle ctest eslint gradle gradlew jest make mocha mvn mvnw mypy ninja nox npx nyc phpunit pre-commit prettier " +
    "pylint pyright pytest rake rspec rubocop ruff tap tox tsc turbo vitest vue-tsc"
  ).split(" "),
);

const withWord: Readonly<Record<string, RegExp>> = {
  bazel: /^(build|test)$/,
  bun: /^(run|test|x)$/,
  cargo: /^(bench|build|check|clippy|doc|fmt|nextest|run|test)$/,
  cmake: /^--build$/,
  composer: /^(check|lint|run|run-script|test)$/,
  deno: /^(check|lint|task|test)$/,
  dotnet: /^(build|format|test)$/,
  go: /^(build|generate|run|test|vet)$/,
  mix: /^(compile|credo|dialyzer|format|test)$/,
  node: /^--test$/,
  npm: /^(exec|run|run-script|t|test)$/,
  pnpm: /^(exec|run|t|test|tsc|vitest|jest|eslint|lint|build|typecheck)$/,
  poetry: /^run$/,
  python: /^-m$/,
  python3: /^-m$/,
  swift: /^(build|test)$/,
  uv: /^run$/,
  yarn: /^(run|test|tsc|vitest|jest|eslint|lint|build|typecheck)$/,
  zig: /^(build|test)$/,
};

/** Whether one of the simple commands of a line runs a check of the project. */
export function isProjectCheck(parts: readonly string[]): boolean {
  return parts.some((part) => {
    const [program = "", ...words] = part.split(/\s+/).map((word) => word.replaceAll(/^['"]|['"]$/g, ""));
    const name = program.split("/").at(-1)!;
    return always.has(name) || words.some((word) => withWord[name]?.test(word) === true);
  });
}
