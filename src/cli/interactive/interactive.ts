/** `groundplan` on a terminal: the first frame at once, then the session behind it; another session or model without leaving. */
import { homedir, platform, userInfo } from "node:os";
import { setImmediate as breathe } from "node:timers/promises";
import type { ReadStream, WriteStream } from "node:tty";
import { callShower } from "../../agent/tools/show.ts";
import { makeVisible } from "../../core/wire/visible.ts";
import { startFace } from "../../faces/terminal/face.ts";
import type { TerminalFace } from "../../faces/terminal/link.ts";
import type { SessionArguments } from "../args.ts";
import type { Streams } from "../command.ts";
import { version } from "../version.ts";
import type { LateProgram } from "./session.ts";

export async function interactive(args: SessionArguments, streams: Streams): Promise<number> {
  const program: LateProgram = { words: { denial: ({ code, detail }) => detail ?? code, call: callShower([], "") } };
  const start = isPlain(process.env) ? (await import("../../faces/terminal/plain-face.ts")).startPlainFace : startFace;
  const face = start({
    stdin: streams.stdin as ReadStream,
    stdout: streams.stdout as WriteStream,
    environment: process.env,
    version,
    directory: tilde(args.directory ?? process.cwd()),
    platform: platform() === "darwin" ? "darwin" : platform() === "win32" ? "win32" : "other",
    words: {
      denial: (denial, facts) => program.words.denial(denial, facts),
      call: (tool, input) => program.words.call(tool, input),
    },
    user: userName(),
    readText: async (path) => {
      const { readRegularText } = await import("../../agent/host/files/read-regular.ts");
      return readRegularText(path).catch(() => null);
    },
  });
  const guard = guardTerminal(face, streams);
  try {
    const [{ runSession }] = await Promise.all([loadSession(), face.ready]);
    let next: SessionArguments | null = args;
    let former: SessionArguments | null = null;
    let code = 0;
    while (next !== null) {
      const ended = await runSession({ args: next, face, program, resumeHint: guard.resumeHint });
      if ("problem" in ended && former !== null) {
        face.tell(ended.problem);
        [next, former] = [former, null];
        continue;
      }
      if ("problem" in ended) {
        face.close();
        streams.stderr.write(`groundplan: ${makeVisible(ended.problem)}\n`);
        return ended.exitCode;
      }
      code = ended.exitCode;
      former = ended.next === null ? null : ended.former;
      next = ended.next;
    }
    face.close();
    if (guard.hint() !== null) streams.stdout.write(`${guard.hint()}\n`);
    return code;
  } finally {
    face.close();
    guard.off();
  }
}

/** Piece by piece: a key that is typed at the sight of the first frame waits for one of them at most. */
async function loadSession() {
  await breathe();
  await import("zod");
  await breathe();
  await import("../../agent/tools/registry.ts");
  await breathe();
  await import("../../program/open-session.ts");
  await breathe();
  return import("./session.ts");
}

/** Whatever goes wrong, the terminal is given back, and the person is told what happened and how to go on. */
function guardTerminal(face: TerminalFace, { stderr }: Streams) {
  let hint: string | null = null;
  const crash = (error: unknown): void => {
    face.close();
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stderr.write(
      `groundplan: this should not have happened:\n${makeVisible(words)}\n${hint === null ? "" : `${hint}\n`}`,
    );
    process.exit(1);
  };
  const heard: readonly (readonly [string, (error: unknown) => void])[] = [
    ["uncaughtException", crash],
    ["unhandledRejection", crash],
    ["exit", () => face.close()],
    ["SIGHUP", () => face.leave("gone")],
    ["SIGTERM", () => face.leave("leave")],
    ...(isPlain(process.env) ? [] : [["SIGINT", () => face.leave("leave")] as const]),
  ];
  for (const [name, listener] of heard) process.on(name, listener);
  return {
    resumeHint: (text: string): void => {
      hint = text;
    },
    hint: () => hint,
    off(): void {
      for (const [name, listener] of heard) process.off(name, listener);
    },
  };
}

/** Screen readers want lines that are said once, not a picture drawn again and again; dumb terminals can do nothing else. */
function isPlain(environment: Readonly<Record<string, string | undefined>>): boolean {
  if (environment["TERM"] === "dumb") return true;
  return !["", "0", "false", "no", "off"].includes((environment["GROUNDPLAN_SCREEN_READER"] ?? "").toLowerCase());
}

function tilde(path: string): string {
  const home = homedir();
  if (home === "") return path;
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}
