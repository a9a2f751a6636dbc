// What a driver of a real client is, and what drivers share: a bounded run of a program, and a call in a scripted turn.
import { spawn } from "node:child_process";

/**
 * A driver module `scripts/clients/<name>.mjs` exports one, by the name `driver`.
 *
 * @typedef {object} Driver
 * @property {string} name as `groundplan install <name>` takes it
 * @property {string} title
 * @property {Readonly<Record<string, string>>} packages from npm, by exact version
 * @property {(folder: string) => string | null} program the file to start below `folder/node_modules`; null where this machine has none
 * @property {readonly string[]} surfaces ways to run it, the usual one first: "headless", "terminal", …
 * @property {Calls} calls
 * @property {(request: import("../../src/testing/loopback.ts").LoopbackRequest) => boolean} isTurn a turn of a conversation, not a title or a classifier
 * @property {(request: import("../../src/testing/loopback.ts").LoopbackRequest) => readonly string[]} resultsOf the texts of the tool results at the end of the request, which the model has not read before
 * @property {(run: Run) => Promise<Ended>} run one conversation: writes the client's settings into `home`, starts it, waits for its end
 * @property {readonly Probe[]} probes its own, beside those for all
 * @property {(run: Run) => Promise<void>} [trust] after `groundplan install`: whatever makes the entries count
 * @property {boolean} [allowShell] the ways through the shell are tried with rules of the client that allow them, since it would refuse them alone
 * @property {readonly string[]} [omit] names of probes for all that make no sense here
 * @property {readonly string[]} [own] paths in the project that the client itself writes; not looked at
 *
 * What the probes for all do, in the client's own tools; null where it has no such tool. A list is one call a turn.
 * @typedef {object} Calls
 * @property {(command: string, run: Run) => Call} shell
 * @property {((path: string, text: string, run: Run) => Call | Call[]) | null} write
 * @property {((path: string, from: string, to: string, run: Run) => Call | Call[]) | null} edit
 * @property {((path: string) => Call) | null} read
 *
 * @typedef {{ tool: string, input: unknown, id?: string }} Call
 *
 * @typedef {object} Run
 * @property {string} program
 * @property {string} home HOME of the client, thrown away afterwards; the client's own folders lie in it
 * @property {string} project a git repository with note.txt ("alpha"), src/code.js, package.json (script `touch`), in which the client starts
 * @property {string} elsewhere a folder outside of the project, whose tree must not change either
 * @property {string} root the folder that all of these lie in: nothing outside of it is written
 * @property {string} temporary for TMPDIR
 * @property {string} url of the scripted model
 * @property {Promise<void>} finished resolves when the model has said its last word
 * @property {boolean} planning whether the client is started in its plan mode; else in the mode that asks nobody
 * @property {boolean} guarded
 * @property {string} surface
 * @property {boolean} allow with rules of the client that let every shell command and edit through
 * @property {boolean} bypass with the mode without questions merely available
 * @property {string} prompt
 * @property {number} limitMs after which the run must be ended
 * @property {Readonly<Record<string, string>>} environment PATH and whatever the guard needs; a driver adds its own
 *
 * @typedef {{ exitCode: number | null, output: string, timedOut: boolean }} Ended
 *
 * `write`: nothing may change, and control (the same calls, not planning) must change something.
 * `work`: not planning, with the guard; something must change.
 * `read`: `marker` must reach the model.
 * `plan-file`: the model writes the one file that it may; the guard must not stand in the way.
 * `exit`: the model presents a plan and writes in the turn after; nothing may change.
 * @typedef {object} Probe
 * @property {string} name
 * @property {"write" | "work" | "read" | "exit" | "plan-file"} kind
 * @property {Readonly<Record<string, string>>} [files] put into the project first
 * @property {(run: Run, turn: number, request: import("../../src/testing/loopback.ts").LoopbackRequest) => Reply | null} turn what the model says in its nth turn (from 0); null: it ends
 * @property {string} [marker] what must stand in a result that the model reads
 * @property {boolean} [askedAlone] alone the client asks or refuses, so that only the guarded run must bring the marker
 * @property {string} [surface]
 * @property {boolean} [allow]
 * @property {boolean} [bypass]
 * @property {Readonly<Record<string, unknown>>} [options] whatever else this client's driver takes, as `run.options`
 * @property {boolean} [noControl] there is no such thing outside of plan mode
 *
 * @typedef {import("../../src/testing/loopback.ts").ScriptedTurn} Reply
 */

/** Runs a program to its end, or to the end of its time: then it and its group are killed. */
export function runBounded(file, args, { cwd, environment, limitMs, input = "", onStart = () => {} }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, env: environment, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    let timedOut = false;
    const end = () => {
      timedOut = true;
      killGroup(child.pid);
    };
    const timer = setTimeout(end, limitMs);
    const done = (exitCode) => {
      clearTimeout(timer);
      killGroup(child.pid);
      resolve({ exitCode, output, timedOut });
    };
    child.stdout.on("data", (bytes) => (output += bytes));
    child.stderr.on("data", (bytes) => (output += bytes));
    child.stdin.on("error", () => {});
    child.on("error", (error) => {
      output += String(error);
      done(null);
    });
    child.on("close", done);
    if (input !== null) child.stdin.end(input);
    onStart(child);
  });
}

function killGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

/** One turn with these calls. */
export function calling(...calls) {
  return { calls };
}
