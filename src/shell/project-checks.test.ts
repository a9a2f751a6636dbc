import { expect, test } from "vitest";
import { isProjectCheck } from "./project-checks.ts";

test.each([
  "npm test",
  "npm run lint",
  "npx tsc --noEmit",
  "./node_modules/.bin/vitest run",
  "go test ./...",
  "cargo check",
  "make",
  "python3 -m pytest",
  "node --test",
  "./gradlew test",
  "pnpm --filter a test",
])("B1.16 '%s' is a check of the project", (part) => expect(isProjectCheck(["cd a", part])).toBe(true));

test.each(["npm install", "npm view a", "go mod tidy", "cargo add x", "node a.js", "cat make", "python3 a.py", "ls"])(
  "B1.16 '%s' is none",
  (part) => expect(isProjectCheck([part])).toBe(false),
);
