// A client in a real terminal: tmux with a socket of its own, inside of the run's place.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { confinedTo } from "./place.mjs";

const run = promisify(execFile);

/** Types the prompt, then waits until the model said its last word, or for the end of the time: then a dialog is open. */
export async function runInTerminal(client, args, environment) {
  const terminal = await openTerminal(client, args, environment);
  try {
    await terminal.until((screen) => isReady(screen), client.limitMs / 2);
    await terminal.type(client.prompt);
    const isOver = await Promise.race([client.finished.then(() => true), pause(client.limitMs / 2).then(() => false)]);
    if (isOver) await pause(300);
    return { exitCode: isOver ? 0 : null, output: await terminal.screen(), timedOut: !isOver };
  } finally {
    await terminal.close();
  }
}

export async function openTerminal(client, args, environment) {
  const socket = join(client.root, "tmux");
  const tmux = (...rest) => run("tmux", ["-S", socket, "-f", "/dev/null", ...rest], { cwd: client.project });
  const [file, all] = confinedTo(client, client.program, args);
  const variables = Object.entries({ ...environment, TERM: "xterm-256color" }).map(
    ([name, value]) => `${name}=${value}`,
  );
  await tmux("new-session", "-d", "-x", "160", "-y", "50", "-s", "client", "env", "-i", ...variables, file, ...all);
  const screen = async () =>
    (await tmux("capture-pane", "-p", "-t", "client").catch(() => ({ stdout: "(gone)" }))).stdout;
  return {
    screen,
    async type(text) {
      await tmux("send-keys", "-t", "client", "-l", text);
      await pause(200);
      await tmux("send-keys", "-t", "client", "Enter");
    },
    key: (name) => tmux("send-keys", "-t", "client", name),
    /** Whether the screen became like that in time. */
    async until(isLike, limitMs) {
      const end = Date.now() + limitMs;
      while (Date.now() < end) {
        if (isLike(await screen())) return true;
        await pause(100);
      }
      return false;
    },
    /** The client gets its hangup, as from a closed window, and is waited for. */
    async close() {
      const pid = Number((await tmux("display-message", "-p", "-t", "client", "#{pane_pid}").catch(() => ({}))).stdout);
      await tmux("kill-server").catch(() => {});
      for (let at = 0; at < 50 && isAlive(pid); at += 1) {
        if (at === 30) process.kill(pid, "SIGKILL");
        await pause(100);
      }
    },
  };
}

function isReady(screen) {
  return /plan mode on|bypass permissions on|\? for shortcuts|accept edits on/.test(screen);
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

export function pause(ms) {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
