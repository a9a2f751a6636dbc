// What the stories of Claude Code look at and break: plans, links and hooks of one place, its settings, its launcher.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pause } from "./terminal.mjs";

export async function until(what, look, limitMs = 25_000) {
  const end = Date.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await pause(100);
  }
}

/** A dialog takes no key in its first moments: the person presses again while it is there. */
export async function answeredBy(terminal, key) {
  await until("it asks", async () => isDialog(await terminal.screen()));
  await until("its dialog takes the key", async () => {
    await terminal.key(key);
    return terminal.until((screen) => !isDialog(screen), 3000);
  });
}

export function isDialog(screen) {
  return /would you like to proceed|keep planning/i.test(screen);
}

export function planTexts({ home }) {
  const folder = join(home, ".claude/plans");
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")) : [];
}

export function linkOf({ home }) {
  const folder = join(home, ".groundplan/reviews/open");
  const [name] = existsSync(folder) ? readdirSync(folder) : [];
  return name === undefined
    ? null
    : (/http:\/\/127\.0\.0\.1:[^"'<\s]+/.exec(readFileSync(join(folder, name), "utf8"))?.[0] ?? null);
}

/** The hooks of this place alone: those whose environment names its home. */
export function killHooks({ home }, event = "PermissionRequest") {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isHookOf(name, { home, event }));
  for (const pid of pids) process.kill(Number(pid), "SIGKILL");
  return pids.length > 0;
}

function isHookOf(pid, { home, event }) {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return words.includes(event) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home}\0`);
  } catch {
    return false;
  }
}

export function editSettings({ home }, change, event) {
  const file = join(home, ".claude/settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  for (const group of settings.hooks[event]) group.hooks = group.hooks.map(change);
  writeFileSync(file, JSON.stringify(settings));
}

/** The launcher starts this instead of the hook's program. */
export function judgedBy({ home, root: folder }, text) {
  const file = join(folder, "judge.cjs");
  writeFileSync(file, text);
  const launcher = join(home, ".groundplan/bin/guard");
  writeFileSync(launcher, readFileSync(launcher, "utf8").replace(/^hook=.*$/m, `hook='${file}'`));
}
