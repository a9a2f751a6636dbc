/** Every rung as every kind of person: as root, and as one with no rights at all (where the tests are run by root). */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import * as z from "zod";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { needs } from "../support/needs.ts";
import { differenceOf, pictureOf } from "./project.ts";
import { linuxRungs, only } from "./rungs.ts";
import type { LinuxRung } from "./rungs.ts";
import { remove } from "../support/remove.ts";

const own = process.getuid?.() ?? 0;
const people = own === 0 ? [0, 65_534] : [own];
/** A folder that everybody may enter. */
const place = ["/var/tmp", "/tmp", "/dev/shm"].find((path) => (statSync(path).mode & 0o001) !== 0)!;
const folder = realpathSync(mkdtempSync(join(place, "groundplan-user-")));
const program = join(folder, "probe.mjs");
const node = join(folder, "node");
const attempts = [
  "echo x > new",
  "echo x >> kept",
  "rm kept",
  "mv kept moved",
  "ln kept linked",
  "chmod 777 kept",
  "touch -d 2001-01-01 kept",
  `kill -0 ${process.pid}`,
  `head -c 1 /proc/${process.pid}/environ | grep -q .`,
  "exec 3<>/dev/tcp/127.0.0.1/9",
  "unshare -Ur true",
  "echo x > $HOME/new",
];

beforeAll(async () => {
  chmodSync(folder, 0o755);
  const entry = fileURLToPath(new URL("cage-probe.ts", import.meta.url));
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  /** By another process: one that is forked here meanwhile would hold it open, and it could not be run ("text file busy"). */
  expect(spawnSync("cp", [process.execPath, node]).status).toBe(0);
  chmodSync(node, 0o755);
});
afterAll(() => remove(folder));

interface Started {
  readonly uid: number;
  readonly rung: LinuxRung;
  readonly commands: (project: string) => readonly string[];
}

/** A project of this person's, and what the commands came to in it. */
function tried({ uid, rung, commands }: Started) {
  const home = mkdtempSync(join(folder, "home-"));
  const project = join(home, "project");
  mkdirSync(project);
  writeFileSync(join(project, "kept"), "kept\n");
  copyFileSync(new URL("attacks.py", import.meta.url), join(project, "attacks.py"));
  for (const path of [home, project, join(project, "kept")]) chownSync(path, uid, uid);
  const before = pictureOf(project);
  const ran = spawnSync(node, [program, project, join(home, "plans"), ...commands(project)], {
    ...(own === 0 ? { uid, gid: uid } : {}),
    cwd: project,
    encoding: "utf8",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: home, TMPDIR: home, ...only(rung) },
  });
  expect(ran.stderr).toBe("");
  return { ...JSON.parse(ran.stdout), changed: differenceOf(before, pictureOf(project)) };
}

for (const uid of people) {
  for (const rung of linuxRungs) {
    describe(`the cage by ${rung} for the user ${uid}`, needs(rung), () => {
      test("B1.11 holds, and reads what the user may read", () => {
        const commands = () => ["cat kept; id -u", ...attempts];
        const { rung: used, results, copied, changed } = tried({ uid, rung, commands });
        expect(used).toMatchObject({ kind: "caged", name: rung });
        const [read, ...refused] = results;
        expect(read).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^kept\n\d+\n$/) });
        expect(refused.map(({ exitCode }: { exitCode: number }, at: number) => [attempts[at], exitCode !== 0])).toEqual(
          attempts.map((attempt) => [attempt, true]),
        );
        if (!inject("missing").includes("overlay"))
          expect(copied).toMatchObject({ exitCode: 0, stdout: "1\n", discarded: { files: ["copied"], more: 0 } });
        expect(changed).toEqual([]);
      });

      test.skipIf(process.arch !== "x64")(
        "B1.11 holds against a hundred ways out",
        needs("landlock-python"),
        async () => {
          const victim = spawn("sleep", ["300"], { stdio: "ignore", ...(own === 0 ? { uid, gid: uid } : {}) });
          const heard: string[] = [];
          const server = createServer((socket) => {
            heard.push("a connection");
            socket.destroy();
          });
          await once(server.listen(0, "127.0.0.1"), "listening");
          const { port } = z.object({ port: z.number() }).parse(server.address());
          const words = (project: string) => `${project} ${victim.pid} ${port} groundplan-${port} ${folder}/socket`;
          const commands = (project: string) => [`/usr/bin/python3 attacks.py ${words(project)}`];
          const { results, changed } = tried({ uid, rung, commands });
          victim.kill("SIGKILL");
          server.close();
          const lines = results[0].stdout
            .trim()
            .split("\n")
            .map((line: string) => line.split("\t"));
          expect(results[0].stderr).toBe("");
          expect(lines.filter(([, outcome]: string[]) => outcome !== "held")).toEqual([]);
          expect(lines.length).toBeGreaterThan(100);
          expect([changed, heard]).toEqual([[], []]);
        },
      );
    });
  }
}
