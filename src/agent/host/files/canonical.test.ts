/** What no system opens is refused before it is walked: it would only take the time of whoever judges it. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realFolder } from "../../../../test/support/folder.ts";
import { canonicalPath, lexicalPath } from "./canonical.ts";

test("B11.4 a path of very many parts is refused, not walked", async () => {
  for (const part of ["a/", "./", "../"]) {
    const path = `/${part.repeat(2_000_000)}x`;
    await expect(canonicalPath(path, "/")).rejects.toMatchObject({ code: "bad-path" });
    expect(() => lexicalPath(path, "/")).toThrow("this is not a path");
  }
});

test("a long path is walked link by link, and what stands behind a link stays in its order", async () => {
  const folder = realFolder();
  symlinkSync("one/two", join(folder, "link"));
  expect(await canonicalPath(`${folder}/${"./".repeat(1000)}link/three/../four`, "/")).toBe(
    join(folder, "one/two/four"),
  );
});
