/** Our own git: asked about a folder of the project so that nothing in it is executed, fetched or written (B1.5). */
import { launch } from "./launch.ts";

export interface GitAnswer {
  /** Null where git is missing, or was ended. */
  readonly code: number | null;
  readonly bytes: Buffer;
  readonly complaint: string;
  /** There was more than the limit; what came before it is given. */
  readonly isCut: boolean;
}

export interface GitPlace {
  readonly directory: string;
  /** As `ownEnvironment` or `childEnvironment` make it: with git's settings in it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limit?: number;
  /** What it reads on stdin; nothing by default. */
  readonly input?: Buffer;
  readonly timeoutMs?: number;
}

/** Never rejects. */
export function askGit(
  args: readonly string[],
  { directory, environment, limit = 1 << 29, timeoutMs = 120_000, input }: GitPlace,
): Promise<GitAnswer> {
  const child = launch({
    program: "git",
    args: ["--no-pager", "--no-optional-locks", "--no-replace-objects", ...args],
    directory,
    environment,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  if (child instanceof Error) return Promise.resolve(missing);
  return new Promise((settle) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    child.stdout!.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) child.kill("SIGKILL");
      else chunks.push(chunk);
    });
    child.stderr!.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString("utf8")).slice(0, 2000);
    });
    child.stdin?.on("error", () => undefined).end(input);
    const finish = (answer: GitAnswer): void => {
      clearTimeout(timer);
      settle(answer);
    };
    child.on("error", () => finish(missing));
    child.on("close", (code) => finish({ code, bytes: Buffer.concat(chunks), complaint, isCut: size > limit }));
  });
}

const missing: GitAnswer = { code: null, bytes: Buffer.alloc(0), complaint: "git is not installed", isCut: false };
