/** The command line of a session, parsed into a value or a clear complaint. */
import { modes, type Mode } from "../core/mode.ts";
import { plainWish, type SessionWish } from "../program/wish.ts";
import { among, count, file, flag, folder, oneOf, readOptions, shaped, value, type Read } from "./options.ts";

/** The wish for a session, and how its face is to be. */
export interface SessionArguments extends SessionWish {
  readonly print: boolean;
  readonly maxTurns: number | null;
  readonly output: "text" | "json" | "stream-json";
  readonly input: "text" | "stream-json";
  readonly version: boolean;
  readonly help: boolean;
}

export type ParsedArguments = SessionArguments | { readonly problem: string };

const newest = "*";
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `also`: options of the command around the session. */
export function parseSessionArguments(
  args: readonly string[],
  command: Parameters<typeof readOptions>[2] = { command: "groundplan" },
): ParsedArguments {
  const parsed = readOptions(withResumeValue(args), sessionOptions, command);
  if ("problem" in parsed) return parsed;
  const { values, positionals } = parsed;
  const output = values["output-format"] ?? "text";
  const input = values["input-format"] ?? "text";
  const problem =
    oneOf("--permission-mode", values["permission-mode"], modes) ??
    oneOf("--output-format", output, outputs) ??
    oneOf("--input-format", input, inputs) ??
    oneOf("--effort", values.effort, efforts) ??
    count("--max-turns", values["max-turns"]) ??
    shaped("--session-id", values["session-id"], uuid, "a UUID") ??
    shaped("--channel", values.channel, /^[\w.-]{1,40}$/, "a name of letters, digits, dots and dashes") ??
    shaped("--resume", values.resume, /\S/, "the id of a session, or nothing for the newest") ??
    shaped("--approve", values.approve, /^[0-9a-f]{64}$/, "the plan's SHA-256, 64 lower-case hex digits") ??
    together(values);
  if (problem !== null) return { problem };
  const named = values.resume === newest ? true : values.resume;
  const resume = named ?? (values.continue === true ? true : null);
  return {
    ...plainWish,
    prompt: positionals.length === 0 ? null : positionals.join(" "),
    print: values.print === true,
    modeByModel: values.print !== true,
    mode: (values["permission-mode"] ?? null) as Mode | null,
    model: values.model ?? null,
    planModel: values["plan-model"] ?? null,
    effort: (values.effort ?? null) as SessionArguments["effort"],
    resume,
    fork: values.fork === true,
    sessionId: values["session-id"] ?? null,
    directory: values.cwd ?? null,
    addedDirectories: values["add-dir"] ?? [],
    settings: values.settings ?? null,
    bypass: bypassOf(values),
    mcpConfig: values["mcp-config"] ?? null,
    maxTurns: values["max-turns"] === undefined ? null : Number(values["max-turns"]),
    output: output as SessionArguments["output"],
    input: input as SessionArguments["input"],
    channel: values.channel ?? null,
    sandbox: values["no-sandbox"] !== true,
    trust: values.trust === true,
    approve: values.approve ?? null,
    version: values.version === true,
    help: values.help === true,
  };
}

type Values = Read<typeof sessionOptions>["values"];

const efforts = ["low", "medium", "high"] as const;
const outputs = ["text", "json", "stream-json"] as const;
const inputs = ["text", "stream-json"] as const;

export const sessionOptions = {
  print: { ...flag, short: "p" },
  "permission-mode": among(modes),
  model: value,
  "plan-model": value,
  effort: among(efforts),
  resume: { ...value, of: "session" },
  continue: flag,
  fork: flag,
  "session-id": value,
  cwd: folder,
  "add-dir": { ...folder, multiple: true },
  settings: file,
  "allow-dangerously-skip-permissions": flag,
  "dangerously-skip-permissions": flag,
  "mcp-config": file,
  "max-turns": value,
  "output-format": among(outputs),
  "input-format": among(inputs),
  channel: value,
  "no-sandbox": flag,
  trust: flag,
  approve: value,
  version: { ...flag, short: "v" },
  help: { ...flag, short: "h" },
} as const;

/** `--resume` may stand alone: then it means the newest session. A single word behind it is an id, several are a prompt. */
function withResumeValue(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => {
    const next = args[index + 1];
    const isAlone = next === undefined || next.startsWith("-") || /\s/.test(next);
    return arg === "--resume" && isAlone ? `--resume=${newest}` : arg;
  });
}

function together(values: Values): string | null {
  const resumes = values.resume !== undefined || values.continue === true;
  if (values.fork === true && !resumes) return "--fork goes with --resume or --continue.";
  if (values.approve !== undefined && !resumes) return "--approve goes with --resume or --continue.";
  if (values.approve !== undefined && values["permission-mode"] === "plan")
    return "--approve ends plan mode; --permission-mode takes the mode to work in, such as acceptEdits. Nothing was approved.";
  if (values.approve !== undefined && values["input-format"] === "stream-json")
    return "--approve is for one run; a program that drives approves by a verdict line. Nothing was approved.";
  if (values["session-id"] !== undefined && resumes && values.fork !== true) {
    return "--session-id names a new session; with --resume or --continue it needs --fork.";
  }
  if (values["input-format"] === "stream-json" && values["output-format"] !== "stream-json") {
    return "--input-format stream-json goes with --output-format stream-json.";
  }
  if (values.channel !== undefined && values["input-format"] !== "stream-json") {
    return "--channel goes with --input-format stream-json.";
  }
  return null;
}

function bypassOf(values: Values): "off" | "available" | "on" {
  if (values["dangerously-skip-permissions"] === true) return "on";
  if (values["allow-dangerously-skip-permissions"] !== true) return "off";
  return values["permission-mode"] === "bypassPermissions" ? "on" : "available";
}
