import { expect, test } from "vitest";
import { memoryFiles } from "../../testing/memory-files.ts";
import { createPlans, type PlansOptions } from "./plans.ts";

function plansWith(options: Partial<PlansOptions> = {}, random: () => number = () => 0) {
  const files = options.files ?? memoryFiles();
  const reported: string[] = [];
  const plans = createPlans({
    files,
    clock: { now: () => Date.UTC(2026, 10, 15), random },
    plansDirectory: "/plans",
    roots: ["/repo"],
    planNames: "words",
    origin: async () => ({ branch: "main", commit: "c0ffee" }),
    report: (problem) => reported.push(problem),
    ...options,
  });
  return { plans, files, reported };
}

test("R3.3 a name is claimed exclusively; after ten taken ones a suffix makes it unique for certain", async () => {
  const { plans } = plansWith();
  const first = await plans.claim(null);
  const second = await plans.claim(null);
  expect(first).toMatchObject({ type: "plan-claimed", origin: { branch: "main", commit: "c0ffee" } });
  expect(second).toMatchObject({ type: "plan-claimed" });
  const slugs = [first, second].map((event) => ("slug" in event ? event.slug : ""));
  expect(slugs[0]).toMatch(/^[a-z]+-[a-z]+-[a-z]+$/);
  expect(slugs[1]).toBe(`${slugs[0]}-00000000`);
});

test("R3.3 R3.7 many claims at once never share a file", async () => {
  let seed = 0;
  const { plans } = plansWith({}, () => ((seed += 0.618), (seed % 1) * 0.01));
  const claimed = await Promise.all(Array.from({ length: 40 }, () => plans.claim(null)));
  const files = claimed.map((event) => ("file" in event ? event.file : event.error));
  expect(new Set(files).size).toBe(40);
});

test("B5.2 a plan may be named by its task", async () => {
  const { plans } = plansWith({ planNames: "task" });
  expect(await plans.claim("Add OAuth login")).toMatchObject({
    slug: expect.stringMatching(/^2026-11-15-add-oauth-login-[a-z]+$/),
  });
});

test("R8.7 a folder that cannot be written gives an event, not a crash", async () => {
  const files = { ...memoryFiles(), claim: async () => Promise.reject(new Error("EROFS: read-only file system")) };
  const { plans } = plansWith({ files });
  expect(await plans.claim(null)).toEqual({ type: "plan-claim-failed", error: "EROFS: read-only file system" });
});

test("R3.4 reading gives the content, null where there is none, and null with a report on any other error", async () => {
  const files = memoryFiles({ "/plans/a.md": "# A\n" });
  files.links.set("/plans/link.md", "/etc/passwd");
  const { plans, reported } = plansWith({ files });
  expect(await plans.read("/plans/a.md")).toBe("# A\n");
  expect(await plans.read("/plans/none.md")).toBeNull();
  expect(reported).toEqual([]);
  expect(await plans.read("/plans/link.md")).toBeNull();
  expect(reported).toEqual(["The plan /plans/link.md cannot be read: it is a symbolic link, not a file"]);
});

test("R3.4 a plan that is not UTF-8 is not read: its hash would be of other bytes", async () => {
  const files = { ...memoryFiles({ "/plans/a.md": "x" }), readBytes: async () => Uint8Array.of(0x23, 0xff, 0xfe) };
  const { plans, reported } = plansWith({ files });
  expect(await plans.read("/plans/a.md")).toBeNull();
  expect(reported).toHaveLength(1);
});

test("B5.5 a submission keeps the commit and the hashes of the files that the plan names", async () => {
  const files = memoryFiles({ "/plans/a.md": "# A\n- `src/a.ts`\n- `src/new.ts`\n", "/repo/src/a.ts": "a" });
  const { plans } = plansWith({ files });
  expect(await plans.submitted("c1", "/plans/a.md")).toEqual({
    type: "plan-read",
    callId: "c1",
    text: "# A\n- `src/a.ts`\n- `src/new.ts`\n",
    at: Date.UTC(2026, 10, 15),
    evidence: {
      commit: "c0ffee",
      files: [
        { path: "src/a.ts", hash: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb" },
        { path: "src/new.ts", hash: null },
      ],
    },
    changed: [],
  });
});
