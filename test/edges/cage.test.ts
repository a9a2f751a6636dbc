/** Breaking out of the real cage, and cages that do not hold. */
import { randomUUID } from "node:crypto";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createGuardedShell } from "../../src/agent/host/shell/guarded-shell.ts";
import { refusedFiles } from "../../src/agent/host/files/refused-files.ts";
import { needs } from "../support/needs.ts";
import { linuxRungs, only } from "./rungs.ts";
import { remove } from "../support/remove.ts";

const script = (what: string) =>
  `require("net").connect(${what}).on("connect",()=>{console.log("open");process.exit()}).on("error",(e)=>console.log(e.code))`;

for (const rung of linuxRungs)
  describe(`the cage by ${rung}`, needs(rung), () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-cage-")));
    const [project, added, home, plans] = ["project", "added", "home", "home/plans"].map((name) => join(folder, name));
    [project!, added!, home!, plans!].forEach((place) => mkdirSync(place));
    writeFileSync(join(home!, "secret"), "secret\n");
    writeFileSync(join(added!, "note"), "seen\n");
    writeFileSync(join(plans!, "plan.md"), "# Plan\n");
    execFileSync("git", ["init", "-q", project!]);
    const create = (more: { root?: string } = {}) =>
      createGuardedShell({
        projectRoot: more.root ?? project!,
        directories: [added!],
        plansDirectory: plans!,
        closed: [home!],
        settings: { sandbox: "required" },
        environment: { ...process.env, HOME: folder, ...only(rung) },
      });
    const shell = create();
    const globs = [`${project}/.env`, `${project}/**/*.pem`, `${added}/secrets/**`];
    const refused = refusedFiles({ globs, roots: [project!, added!] });
    const run = async (command: string, network = false) => {
      const hide = (await refused.toHide())!;
      return shell.run(command, { directory: project!, confined: true, network, hide, timeoutMs: 300_000 });
    };
    afterAll(() => {
      shell.close();
      remove(folder);
    });

    test("B1.4 passes its self-test here", async () => {
      expect(await shell.rung()).toMatchObject({ kind: "caged", name: rung, selfTest: { passed: true, failures: [] } });
    });

    test("B1.4 shows the project, added directories and plans in the hidden /tmp, read-only", async () => {
      const { stdout } = await run(`pwd; cat ${added}/note ${plans}/plan.md; git status --short --branch`);
      expect(stdout).toMatch(/project\nseen\n# Plan\n## /);
      for (const place of [project, added, plans, folder]) {
        expect(await run(`touch ${place}/new`)).toMatchObject({ exitCode: 1, stdout: "" });
        expect(existsSync(`${place}/new`)).toBe(false);
      }
    });

    test("B1.4 has scratch that is gone afterwards", async () => {
      expect((await run('echo kept > "$TMPDIR/of-one-command"; cat "$TMPDIR/of-one-command"')).stdout).toBe("kept\n");
      expect((await run('ls "$TMPDIR"')).stdout).not.toContain("of-one-command");
      const text = "line\n".repeat(20_000);
      expect((await run(`cat <<'EOF' | wc -c\n${text}EOF`)).stdout.trim()).toBe(String(text.length));
    });

    test.each([
      "echo x > /proc/sys/kernel/core_pattern",
      "echo x > /proc/sys/kernel/hostname",
      "echo 1 > /proc/self/oom_score_adj",
      "echo mem > /sys/power/state || echo 0 > /sys/kernel/mm/ksm/run",
      "mkdir /sys/fs/cgroup/groundplan",
      "echo x > /dev/new",
      "mknod $TMPDIR/disk b 8 0 && cat $TMPDIR/disk",
      "unshare --user --map-root-user true",
      "mount -t tmpfs none /mnt",
      "chroot / true",
      "echo x >> /etc/hosts",
      "kill -0 " + process.pid,
      "chmod 777 /etc/hosts",
      "touch -d 2001-01-01 /etc/hosts",
      "truncate -s 0 /etc/hosts",
      "setfattr -n user.a -v b /etc/hosts || false",
      "chmod 666 /dev/null",
      "chmod 666 /dev/zero",
      "chmod 666 /proc/self/fd/0",
      "touch -c -r /dev/null /dev/null",
    ])("B1.4 refuses: %s", async (command) => {
      const pattern = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
      expect((await run(command)).exitCode).not.toBe(0);
      expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(pattern);
    });

    test("B1.4 reaches no socket of the host, by file, by datagram or by port, unless it has the network", async () => {
      const path = join(project!, "daemon.sock");
      const reached: string[] = [];
      const [file, port] = [createServer(() => reached.push("file")), createServer(() => reached.push("port"))];
      await new Promise<void>((settle) => file.listen(path, settle));
      await new Promise<void>((settle) => port.listen(0, "127.0.0.1", settle));
      const address = port.address();
      const number = address !== null && typeof address === "object" ? address.port : 0;
      expect((await run(`node -e '${script(`"${path}"`)}'`)).stdout).toBe("EPERM\n");
      expect((await run(`node -e '${script(`${number},"127.0.0.1"`)}'`)).stdout).toMatch(/^E[A-Z]+\n$/);
      expect((await run(`exec 3<>/dev/udp/127.0.0.1/9 && echo x >&3`)).stdout).toBe("");
      expect(reached).toEqual([]);
      const asked = await run(`timeout 30 node -e '${script(`${number},"127.0.0.1"`)}'; touch new`, true);
      expect(asked).toMatchObject({
        exitCode: 1,
        stdout: "open\n",
        stderr: expect.stringMatching(/Read-only file system|Permission denied/),
      });
      file.close();
      port.close();
    });

    test("B1.12 does not show our own home, but the plans in it", async () => {
      const { stdout, stderr } = await run(`cat ${home}/secret ${plans}/plan.md; cp ${home}/secret $TMPDIR/x`);
      expect(stdout).toBe("# Plan\n");
      expect(stderr).toMatch(/secret.*(Permission denied|No such file)/);
    });

    test("B1.14 does not show what a rule denies to read, however it is spelled", async () => {
      mkdirSync(join(added!, "secrets"), { recursive: true });
      mkdirSync(join(project!, "deep"), { recursive: true });
      const files = [join(project!, ".env"), join(project!, "deep/key.pem"), join(added!, "secrets/token")];
      for (const file of files) writeFileSync(file, "hush\n");
      writeFileSync(join(project!, "deep/open"), "open\n");
      for (const command of [
        "cat .e*",
        "cat $(echo .env)",
        `grep -rh hush . ${added}`,
        "dd if=.env",
        "git diff --no-index /dev/null .env",
        `cat ${files.join(" ")}`,
        `cd ${added} && cat secrets/token`,
        "ln -s $PWD/.env $TMPDIR/link; cat $TMPDIR/link; cat < /proc/self/cwd/.env",
        'node -e \'process.stdout.write(require("fs").readFileSync(".env"))\'',
        "find . -name key.pem -exec cat {} +",
      ])
        expect([command, (await run(command)).stdout]).toEqual([command, expect.not.stringContaining("hush")]);
      expect((await run("cat deep/open")).stdout).toBe("open\n");
    });

    test("B1.11 sees neither environment, memory nor descriptors of a process outside", async () => {
      const { pid } = process;
      const { stdout } = await run(
        `head -c 9 /proc/${pid}/environ; head -c 9 /proc/${pid}/mem; readlink /proc/${pid}/fd/*; exec 3<>/proc/${pid}/mem && echo open`,
      );
      expect(stdout).toBe("");
    });

    test("B1.11 a named pipe that somebody outside reads: told by bubblewrap, as the page on security says", async () => {
      const pipe = join(project!, "pipe");
      execFileSync("mkfifo", [pipe]);
      const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
      const { exitCode } = await run("echo told > pipe");
      const heard = Buffer.alloc(16);
      const length = readSync(reader, heard);
      closeSync(reader);
      rmSync(pipe);
      const [status, words] = rung === "bubblewrap" ? [0, "told\n"] : [1, ""];
      expect([exitCode, heard.toString("utf8", 0, length)]).toEqual([status, words]);
    });

    test("B1.11 has no descriptor beside its streams", async () => {
      const { stdout } = await run("ls -l /proc/self/fd");
      const targets = [...stdout.matchAll(/ (\d+) -> (.+)$/gm)].filter(([, number]) => Number(number) > 2);
      expect(
        targets.map(([, , target]) => target).filter((target) => !/^\/dev\/null$|^\/proc\//.test(target!)),
      ).toEqual([]);
    });

    test("B1.11 nothing of it runs on when it has ended, whatever it does about it", async () => {
      const name = `${100 + process.pid}.${Math.floor(Math.random() * 1e9)}`;
      await run(
        `(env -i setsid /bin/sleep ${name} & ) ; (trap '' HUP TERM; exec -a other sleep ${name}) & echo started`,
      );
      await expect.poll(() => processesWith(name)).toEqual([]);
    });

    test("ordinary tools work in it: pipes, threads, children, a second git", async () => {
      const { stdout, exitCode } = await run(
        `node -e 'const w=new (require("worker_threads").Worker)("postMessage(require(\\"child_process\\").execSync(\\"echo child\\").toString())".replace(/^/,"const {parentPort}=require(\\"worker_threads\\");const postMessage=(m)=>parentPort.postMessage(m);"),{eval:true});w.on("message",(m)=>console.log(m.trim()))' && git log --oneline 2>&1 | head -1 && ls /usr | sort | head -1`,
      );
      expect({ exitCode, first: stdout.split("\n")[0] }).toEqual({ exitCode: 0, first: "child" });
    });

    test("B1.4 has scratch also where the working directory is /tmp itself", async () => {
      const options = { directory: "/tmp", confined: true, network: false, timeoutMs: 300_000 };
      const name = `groundplan-${randomUUID()}`;
      const { stdout } = await shell.run(`pwd; echo kept > "$TMPDIR/x" && cat "$TMPDIR/x"; touch ${name}`, options);
      expect(stdout).toBe("/tmp\nkept\n");
      expect(existsSync(`/tmp/${name}`)).toBe(false);
    });

    test("a git work tree sees its repository elsewhere in /tmp", async () => {
      const other = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-other-")));
      const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.invalid", ...args], { cwd: other });
      git("init", "-q", "main");
      git("-C", "main", "commit", "-q", "--allow-empty", "-m", "Begin");
      git("-C", "main", "worktree", "add", "-q", join(folder, "tree"));
      const linked = create({ root: join(folder, "tree") });
      const options = { directory: join(folder, "tree"), confined: true, network: false, timeoutMs: 300_000 };
      expect(await linked.run("git log --format=%s", options)).toMatchObject({ exitCode: 0, stdout: "Begin\n" });
      remove(other);
    });
  });

function processesWith(word: string): string[] {
  const lines = execFileSync("ps", ["-eo", "args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(word));
}
