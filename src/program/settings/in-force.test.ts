/** Files, environment, options and trust together. */
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import type { Ignored } from "../../core/settings/settings.ts";
import type { SettingsFile } from "../../core/settings/shape.ts";
import { ignoredLines, settingsInForce } from "./in-force.ts";
import { problemText } from "./text.ts";

interface Setup {
  readonly user?: SettingsFile;
  readonly project?: SettingsFile;
  readonly options?: SettingsFile;
  readonly interview?: string;
  readonly trusts?: boolean;
}

async function place(setup: Setup = {}) {
  const folder = realFolder("-in-force");
  const places = { configHome: join(folder, "home"), projectRoot: join(folder, "project"), directory: folder };
  const projectFile = join(places.projectRoot, ".groundplan/settings.json");
  await mkdir(places.configHome);
  await mkdir(join(places.projectRoot, ".groundplan"), { recursive: true });
  if (setup.user !== undefined) await writeFile(join(places.configHome, "settings.json"), JSON.stringify(setup.user));
  if (setup.project !== undefined) await writeFile(projectFile, JSON.stringify(setup.project));
  const asked: string[][] = [];
  const run = () =>
    settingsInForce({
      ...places,
      environment: setup.interview === undefined ? {} : { GROUNDPLAN_INTERVIEW: setup.interview },
      options: setup.options ?? {},
      isTrusted: async (wanted: readonly Ignored[]) => {
        asked.push([...ignoredLines(wanted)]);
        return setup.trusts ?? false;
      },
    });
  return { ...places, folder, projectFile, asked, run };
}

async function ready(setup: Setup) {
  const at = await place(setup);
  const result = await at.run();
  if (result.kind !== "ready") throw new Error(result.problems.map(problemText).join("\n"));
  return { ...at, ...result };
}

async function message(run: () => ReturnType<typeof settingsInForce>): Promise<readonly string[] | string | null> {
  const result = await run();
  return result.kind === "invalid" ? result.problems.map((problem) => problem.message) : result.template;
}

describe("trust", () => {
  test("R17.3 nobody is asked when the project brings nothing that needs it", async () => {
    const project: SettingsFile = { defaultMode: "plan", permissions: { deny: ["Bash"] } };
    const { asked, settings, trusted } = await ready({ project });
    expect({ asked, trusted, mode: settings.defaultMode }).toEqual({ asked: [], trusted: false, mode: "plan" });
  });

  test("R17.3 asked once with everything that waits for it; no: nothing of it counts, and it is said", async () => {
    const project: SettingsFile = {
      permissions: { allow: ["Bash"] },
      sandbox: "off",
      defaultMode: "bypassPermissions",
    };
    const { asked, settings, ignored, projectFile } = await ready({ project });
    const lines = [
      `${projectFile}: defaultMode "bypassPermissions" not used: a project cannot start a session that skips permissions.`,
      `${projectFile}: sandbox "off", permissions.allow "Bash" not used: a project's settings may only narrow, until you trust the folder (--trust).`,
    ];
    expect(asked).toEqual([lines]);
    expect(ignoredLines(ignored)).toEqual(lines);
    expect(settings).toMatchObject({ sandbox: "auto", defaultMode: "default", permissions: { allow: [] } });
  });

  test("R17.3 yes: it counts, bypass still does not", async () => {
    const project: SettingsFile = { sandbox: "off", defaultMode: "bypassPermissions" };
    const { settings, ignored, needsTrust } = await ready({ project, trusts: true });
    expect(settings).toMatchObject({ sandbox: "off", defaultMode: "default" });
    expect({ needsTrust, why: ignored.map(({ why }) => why) }).toEqual({
      needsTrust: false,
      why: ["never-from-project"],
    });
  });
});

describe("the order", () => {
  test("R2.4 R9.4 options go before the environment, the environment before files", async () => {
    const { settings } = await ready({
      user: { planWorkflow: "phases", defaultMode: "acceptEdits" },
      interview: "1",
      options: { defaultMode: "plan" },
    });
    expect(settings).toMatchObject({ planWorkflow: "interview", defaultMode: "plan" });
    const off = await ready({ user: { planWorkflow: "interview" }, interview: "0" });
    expect(off.settings.planWorkflow).toBe("phases");
  });

  test("R1.4 no file is written by any of this", async () => {
    const { configHome, run } = await place({ user: { theme: "dark" }, options: { defaultMode: "plan" } });
    await run();
    expect(await readFile(join(configHome, "settings.json"), "utf8")).toBe('{"theme":"dark"}');
  });

  test("B8.4 problems end it", async () => {
    const { run, projectFile } = await place();
    await writeFile(projectFile, '{"theem": 1}');
    expect(await run()).toEqual({
      kind: "invalid",
      problems: [
        {
          file: projectFile,
          line: 1,
          column: 2,
          key: "theem",
          message: 'unknown setting "theem"; did you mean "theme"?',
        },
      ],
    });
  });
});

describe("the plan template", () => {
  test("is read from the project root", async () => {
    const { run, projectRoot } = await place({ project: { planTemplate: "docs/plan.md" }, trusts: true });
    expect(await message(run)).toEqual(['the file of "planTemplate" is not there; make it, or remove the setting.']);
    await mkdir(join(projectRoot, "docs"));
    await writeFile(join(projectRoot, "docs/plan.md"), "# Why\n");
    expect(await message(run)).toBe("# Why\n");
  });

  test("B1.15 of a folder that is not trusted is not read", async () => {
    const { run, projectRoot } = await place({ project: { planTemplate: "plan.md" } });
    await writeFile(join(projectRoot, "plan.md"), "# Theirs\n");
    expect(await message(run)).toBeNull();
  });

  test("of the person does not lead out of a folder that is not trusted by a link", async () => {
    const { run, projectRoot, folder } = await place({ user: { planTemplate: "plan.md" } });
    await writeFile(join(folder, "secret"), "# Secret\n");
    await symlink(join(folder, "secret"), join(projectRoot, "plan.md"));
    expect(await message(run)).toEqual([
      'the file of "planTemplate" is a link that leads out of the project; trust the folder, or copy it.',
    ]);
  });

  test("of the person may lie anywhere", async () => {
    const { run, folder, configHome } = await place();
    await writeFile(join(folder, "mine.md"), "# Mine\n");
    await writeFile(join(configHome, "settings.json"), JSON.stringify({ planTemplate: join(folder, "mine.md") }));
    expect(await message(run)).toBe("# Mine\n");
  });
});
