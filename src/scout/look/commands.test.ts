import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { commandsOf } from "./commands.ts";

const cases: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  commands: readonly string[],
])[] = [
  [
    "package.json",
    { "package.json": '{"scripts":{"build":"tsc","test":"vitest","lint":"oxlint","start":"node ."}}' },
    ["npm test", "npm run lint", "npm run build"],
  ],
  ["a pnpm project", { "package.json": '{"scripts":{"test":"vitest"}}', "pnpm-lock.yaml": "" }, ["pnpm test"]],
  [
    "a package without tests",
    { "package.json": '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
    [],
  ],
  ["a broken package.json", { "package.json": "{" }, []],
  ["a Makefile", { Makefile: "CC := gcc\nall: build\ntest: build\n\t./run\nlint:\n\tx\n" }, ["make test", "make lint"]],
  [
    "a Python project",
    { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n", "uv.lock": "" },
    ["uv run pytest", "uv run mypy .", "uv run ruff check ."],
  ],
  ["tox", { "tox.ini": "[tox]\n", "setup.py": "" }, ["tox"]],
  [
    "a Cargo workspace",
    { "Cargo.toml": "[workspace]\n" },
    ["cargo test --workspace", "cargo clippy --workspace --all-targets"],
  ],
  ["a Go module", { "go.mod": "module x\n" }, ["go test ./...", "go vet ./..."]],
  ["a Go module in a folder", { "server/go.mod": "module x\n" }, ["go -C server test ./...", "go -C server vet ./..."]],
  ["Gradle", { "build.gradle.kts": "", gradlew: "" }, ["./gradlew test"]],
  ["Maven", { "pom.xml": "" }, ["mvn test"]],
  [
    "only a workflow",
    {
      ".github/workflows/ci.yml":
        "steps:\n  - run: ./run-tests.sh --all test\n  - run: sudo rm -rf test\n  - run: |\n      x\n",
    },
    ["./run-tests.sh --all test"],
  ],
  ["nothing", { "a.txt": "" }, []],
];

test.each(cases)("%s says how to verify", (_what, files, commands) => {
  const root = mkdtempSync(join(tmpdir(), "groundplan-commands-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  expect(commandsOf(root, Object.keys(files))).toEqual(commands);
  rmSync(root, { recursive: true });
});
