/** `groundplan check`: the shell verdict on the command line. */
import { StringDecoder } from "node:string_decoder";
import { isObject, parseJson } from "../../core/wire/shape.ts";
import { makeVisible, visibleJson } from "../../core/wire/visible.ts";
import { verdict, type ShellSituation, type ShellVerdict } from "../../shell/index.ts";
import type { Command, Streams } from "../command.ts";
import { flag } from "../options.ts";
import { findPlainDatabases, findProjectTools, mentionsProjectTool } from "./project-tools.ts";

const exitCodes: Readonly<Record<ShellVerdict["verdict"], number>> = { "read-only": 0, writes: 1, unproven: 2 };
const wrongUse = 64;
const usage = "usage: groundplan check <command> | groundplan check --jsonl < commands.jsonl\n";
const help = `${usage}Would this shell command change anything? Prints read-only, writes or unproven, and why.
  --jsonl    one {"cmd": …} a line on stdin, one {"cmd", "verdict", "reason", "span"} a line on stdout
Exit codes: 0 read-only, 1 writes, 2 unproven, 64 wrong usage or I/O; with --jsonl 0 when every line was answered.
`;

const checkCommand: Command = async (args, streams) => {
  /** A reader that has gone away is told by the callback of each write. */
  streams.stdout.on("error", () => undefined);
  const [first, ...more] = args;
  if (first === "--jsonl" && more.length === 0) return await answerLines(streams);
  if (more.length === 0 && (first === "--help" || first === "-h")) return (await write(streams, help)) ? 0 : wrongUse;
  const command = first === "--" ? more : args;
  if (command.length !== 1 || (first?.startsWith("--") === true && first !== "--")) {
    streams.stderr.write(usage);
    return wrongUse;
  }
  const answer = verdict(command[0]!, newSituations()(command[0]!));
  const written = await write(
    streams,
    makeVisible(`${answer.verdict}: ${answer.reason}${excerpt(command[0]!, answer)}\n`),
  );
  return written ? exitCodes[answer.verdict] : wrongUse;
};

export const check: Command = Object.assign(checkCommand, { words: async () => ({ options: { jsonl: flag } }) });

/** The part that decided, when it is not the whole. */
function excerpt(command: string, { span, verdict: judgement }: ShellVerdict): string {
  if (span === null || judgement === "read-only" || span[1] <= span[0]) return "";
  const part = command.slice(...span);
  return part === command ? "" : `\n  ${JSON.stringify(part)} at ${span[0]}`;
}

async function answerLines(streams: Streams): Promise<number> {
  const situationFor = newSituations();
  let number = 0;
  try {
    for await (const lines of batches(streams.stdin)) {
      const answers = lines.map((line) => {
        number += 1;
        return answerLine(line, { number, situationFor });
      });
      if (!(await write(streams, answers.join("")))) return 0;
    }
    return 0;
  } catch {
    streams.stderr.write("groundplan check: the input could not be read\n");
    return wrongUse;
  }
}

/** The complete lines of each chunk; a line ends with LF alone, and the last one need not. */
async function* batches(input: Streams["stdin"]): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder("utf8");
  let open: string[] = [];
  for await (const chunk of input) {
    const text = Buffer.isBuffer(chunk) ? decoder.write(chunk) : String(chunk);
    const [first = "", ...rest] = text.split("\n");
    open.push(first);
    if (rest.length === 0) continue;
    const last = rest.pop()!;
    yield [open.join(""), ...rest];
    open = [last];
  }
  const last = open.join("") + decoder.end();
  if (last !== "") yield [last];
}

type SituationFor = (command: string) => ShellSituation;

function answerLine(line: string, { number, situationFor }: { number: number; situationFor: SituationFor }): string {
  const asked = parseJson(line);
  const cmd = isObject(asked) ? asked["cmd"] : null;
  if (typeof cmd !== "string")
    return `${JSON.stringify({ error: 'not a JSON object with a string "cmd"', line: number })}\n`;
  const { verdict: judgement, reason, span } = verdict(cmd, situationFor(cmd));
  return `${visibleJson({ cmd, verdict: judgement, reason, span })}\n`;
}

/** Looks at the project once, and only when a command names a tool that it could steer. */
function newSituations(): SituationFor {
  const directory = process.cwd();
  const platform = process.platform === "darwin" || process.platform === "win32" ? process.platform : "linux";
  const home = process.env["HOME"];
  const plain: ShellSituation = { platform, directory, ...(home === undefined ? {} : { home }) };
  let looked: ShellSituation | null = null;
  return (command) => {
    if (!mentionsProjectTool(command)) return plain;
    looked ??= {
      ...plain,
      ...findProjectTools(directory),
      plainDatabases: findPlainDatabases(directory),
    };
    return looked;
  };
}

/** False when the reader has gone away. */
async function write({ stdout }: Streams, text: string): Promise<boolean> {
  if (text === "") return true;
  return await new Promise((resolve) => {
    stdout.write(text, (error) => resolve(!error));
  });
}
