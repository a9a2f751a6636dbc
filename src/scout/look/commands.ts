/** The project's own commands to verify a change, read from its manifests and CI files; none is run. */
import { join } from "node:path";
import { bytesOf } from "./survey.ts";

/** The text of a file; empty where there is none. */
type ReadText = (path: string) => string;
type Reader = (read: ReadText, paths: ReadonlySet<string>) => readonly string[];

const readers: readonly Reader[] = [
  fromPackage,
  fromMakefile,
  fromJustfile,
  fromPython,
  fromCargo,
  fromGo,
  fromJvm,
  fromOthers,
];
const most = 8;

/** Best first: tests, then types and lint, then builds. */
export function commandsOf(root: string, paths: readonly string[]): readonly string[] {
  const present = new Set(paths);
  const read: ReadText = (path) => (present.has(path) ? (bytesOf(join(root, path))?.toString("utf8") ?? "") : "");
  const own = readers.flatMap((reader) => reader(read, present));
  const found = own.length > 0 ? own : fromWorkflows(read, paths);
  return [...new Set(found)].toSorted((left, right) => orderOf(left) - orderOf(right)).slice(0, most);
}

const wanted =
  /^(?:test|tests|check|lint|types?|typecheck|type-check|tsc|build|verify|validate|unit|ci)(?:[:_-](?:unit|types?|all|ci|run|lint|check|ts|js|code))?$/;

function orderOf(command: string): number {
  const order = [/\b(?:check|verify|ci)$/, /test|tox|nox/, /type|tsc|mypy|vet/, /lint|clippy|ruff/, /build|compile/];
  const at = order.findIndex((pattern) => pattern.test(command));
  return at < 0 ? order.length : at;
}

function fromPackage(read: ReadText, paths: ReadonlySet<string>): readonly string[] {
  const scripts = scriptsOf(read("package.json"));
  const run = runnerOf(read("package.json"), paths);
  return Object.entries(scripts)
    .filter(([name, script]) => wanted.test(name) && !/no test specified/.test(script))
    .map(([name]) => (name === "test" && run !== "bun run" ? `${run.split(" ")[0]!} test` : `${run} ${name}`));
}

function scriptsOf(text: string): Record<string, string> {
  try {
    const manifest: unknown = JSON.parse(text);
    if (typeof manifest !== "object" || manifest === null || !("scripts" in manifest)) return {};
    const scripts: Record<string, string> = {};
    for (const [name, script] of Object.entries(manifest.scripts ?? {}))
      if (typeof script === "string") scripts[name] = script;
    return scripts;
  } catch {
    return {};
  }
}

function runnerOf(manifest: string, paths: ReadonlySet<string>): string {
  const named = /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/.exec(manifest)?.[1];
  if (named === "pnpm" || paths.has("pnpm-lock.yaml")) return "pnpm run";
  if (named === "yarn" || paths.has("yarn.lock")) return "yarn run";
  if (named === "bun" || paths.has("bun.lock") || paths.has("bun.lockb")) return "bun run";
  return "npm run";
}

function fromMakefile(read: ReadText): readonly string[] {
  const text = read("Makefile") || read("makefile") || read("GNUmakefile");
  return targetsIn(text, /^([A-Za-z][\w-]*)[ \t]*:(?!=)/gm).map((target) => `make ${target}`);
}

function fromJustfile(read: ReadText): readonly string[] {
  const text = read("justfile") || read("Justfile") || read(".justfile");
  return targetsIn(text, /^([A-Za-z][\w-]*)[^:=\n]*:(?!=)/gm).map((target) => `just ${target}`);
}

function targetsIn(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ([, target]) => target!).filter((target) => wanted.test(target));
}

function fromPython(read: ReadText, paths: ReadonlySet<string>): readonly string[] {
  const project = read("pyproject.toml");
  const settings = project + read("setup.cfg") + read("tox.ini");
  const isPython = settings !== "" || paths.has("setup.py") || paths.has("requirements.txt");
  if (!isPython) return [];
  const run = paths.has("uv.lock") ? "uv run " : paths.has("poetry.lock") ? "poetry run " : "";
  const hasTests =
    /pytest/.test(settings) || paths.has("conftest.py") || paths.has("tests/conftest.py") || paths.has("pytest.ini");
  return [
    ...(hasTests ? [`${run}pytest`] : []),
    ...(paths.has("tox.ini") || /\[tool\.tox/.test(project) ? ["tox"] : []),
    ...(paths.has("noxfile.py") ? ["nox"] : []),
    ...(/\[tool\.mypy|^\[mypy/m.test(settings) || paths.has("mypy.ini") ? [`${run}mypy .`] : []),
    ...(/\[tool\.ruff/.test(project) || paths.has("ruff.toml") ? [`${run}ruff check .`] : []),
    ...(!hasTests && [...paths].some((path) => /(?:^|\/)test_[^/]*\.py$/.test(path)) ? ["python -m unittest"] : []),
  ];
}

function fromCargo(read: ReadText, paths: ReadonlySet<string>): readonly string[] {
  if (!paths.has("Cargo.toml")) return [];
  const all = /^\[workspace\]/m.test(read("Cargo.toml")) ? " --workspace" : "";
  return [`cargo test${all}`, `cargo clippy${all} --all-targets`];
}

function fromGo(_read: ReadText, paths: ReadonlySet<string>): readonly string[] {
  const modules = [...paths]
    .filter((path) => path === "go.mod" || (!paths.has("go.mod") && /^[^/]+\/go\.mod$/.test(path)))
    .toSorted();
  return modules.flatMap((path) => {
    const within = path === "go.mod" ? "" : ` -C ${path.slice(0, -"/go.mod".length)}`;
    return /[^\w/.-]/.test(path) ? [] : [`go${within} test ./...`, `go${within} vet ./...`];
  });
}

function fromJvm(_read: ReadText, paths: ReadonlySet<string>): readonly string[] {
  if (paths.has("pom.xml")) return [paths.has("mvnw") ? "./mvnw test" : "mvn test"];
  if (!paths.has("build.gradle") && !paths.has("build.gradle.kts")) return [];
  return [paths.has("gradlew") ? "./gradlew test" : "gradle test"];
}

function fromOthers(read: ReadText, paths: ReadonlySet<string>): readonly string[] {
  const has = (pattern: RegExp): boolean => [...paths].some((path) => pattern.test(path));
  return [
    ...(paths.has("mix.exs") ? ["mix test"] : []),
    ...(paths.has("Package.swift") ? ["swift test"] : []),
    ...(paths.has("pubspec.yaml") ? ["dart test"] : []),
    ...(paths.has("Rakefile") ? ["bundle exec rake"] : []),
    ...(paths.has("Gemfile") && has(/^spec\//) ? ["bundle exec rspec"] : []),
    ...(/"test"\s*:/.test(read("composer.json")) ? ["composer test"] : []),
    ...(has(/^[^/]+\.(?:sln|csproj)$/) ? ["dotnet test"] : []),
    ...(paths.has("CMakeLists.txt") ? ["cmake --build build && ctest --test-dir build"] : []),
    ...(paths.has("deno.json") || paths.has("deno.jsonc") ? ["deno test"] : []),
  ];
}

/** Where no manifest says it: single-line steps of the CI files that run tests. */
function fromWorkflows(read: ReadText, paths: readonly string[]): readonly string[] {
  const files = paths.filter((path) =>
    /^\.github\/workflows\/[^/]+\.ya?ml$|^\.gitlab-ci\.yml$|^\.travis\.yml$|^\.circleci\/config\.yml$/.test(path),
  );
  return files.flatMap((path) =>
    [...read(path).matchAll(/^\s*-?\s*(?:run|script)\s*:\s*([^|>\n][^\n]{0,160})$/gm)]
      .map(([, command]) => command!.trim().replace(/^["']|["']$/g, ""))
      .filter(
        (command) =>
          /\btest|\bcheck\b|\blint\b/.test(command) && !/\$\{\{|\b(?:curl|sudo|rm|push|publish|deploy)\b/.test(command),
      ),
  );
}
