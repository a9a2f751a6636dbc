/** `groundplan -p`: what is to be done is found out, then a session goes on behind the headless face. */
import { publicEvents } from "../../agent/loop/public-events.ts";
import { headlessFace } from "../../faces/headless/face.ts";
import { commandProblem, isCommand } from "../../agent/loop/line-command.ts";
import { elsewhere } from "../../faces/headless/headless-command.ts";
import { hasKeptAnswer, waitingHash } from "../../program/kept-prompt.ts";
import { openSession } from "../../program/open-session.ts";
import { isUsageError, type UsageError } from "../../program/usage-error.ts";
import { loadPrompts, type Prompts } from "../../prompts/index.ts";
import { withPipedInput } from "../../prompts/render/opening.ts";
import type { SessionArguments } from "../args.ts";
import type { Streams } from "../command.ts";
import { complain, tellPerson } from "../complaint.ts";
import { programName } from "../program-name.ts";
import { readPipedInput } from "./piped-input.ts";

export async function print(args: SessionArguments, streams: Streams): Promise<number> {
  const isDriven = args.input === "stream-json";
  const prompts = loadPrompts();
  const asked = isDriven ? { prompt: args.prompt } : await promptOf(args, { streams, prompts });
  if (isUsageError(asked)) return complain(streams, asked.problem, asked.exitCode);
  const { approve, mode, output, channel, maxTurns } = args;
  const face = headlessFace({
    streams,
    output,
    isDriven,
    channel,
    maxTurns,
    tellsProgress: !args.print && output === "text",
    said: { prompt: asked.prompt, approve, mode },
    teammate: args.teammate?.name ?? null,
    program: programName(),
    complain: (line) => tellPerson(streams, line),
    eventsOf: (happening) => publicEvents(happening, prompts, { hasTaskTool: true }),
  });
  const session = await openSession({
    wish: args,
    person: face.person,
    tell: face.tell,
    prompts,
    listen: face.listen,
    mayLead: isDriven,
    onShutdown: face.interrupt,
  });
  if (isUsageError(session)) return complain(streams, session.problem, session.exitCode);
  process.once("SIGINT", face.interrupt);
  process.once("SIGTERM", face.interrupt);
  return face.run(session);
}

interface Asking {
  readonly streams: Streams;
  readonly prompts: Prompts;
}

/** What is to be done: the words of the command line, with what is piped in; else what is piped in alone. */
async function promptOf(args: SessionArguments, asking: Asking): Promise<{ prompt: string | null } | UsageError> {
  if (args.prompt !== null && args.prompt.trim() !== "") {
    const problem = commandProblem(args.prompt, elsewhere) ?? besideApproval(args.prompt, args);
    return problem === null ? withPiped(args.prompt, asking) : { problem, exitCode: 2 };
  }
  /** A teammate that was stopped while it waited just goes on waiting. */
  if (args.approve !== null || (args.teammate !== null && args.resume !== null)) return { prompt: null };
  const piped = await readPipedInput(asking.streams.stdin, { patienceMs: null });
  if (piped.kind === "failed") return { problem: piped.problem, exitCode: 2 };
  const prompt = piped.kind === "text" ? piped.text : "";
  if (prompt.trim() === "" && !(await hasKeptAnswer(args))) return nothingToDo(args);
  const problem = commandProblem(prompt, elsewhere);
  return problem === null ? { prompt } : { problem, exitCode: 2 };
}

/** What is approved is carried out at once: a command would come too late, or undo it. */
function besideApproval(prompt: string, { approve }: SessionArguments): string | null {
  if (approve === null || !isCommand(prompt)) return null;
  const name = prompt.trim().split(/\s/)[0]!;
  return `${name} does not go with --approve; nothing was approved. Give the command in a run of its own, or words.`;
}

async function nothingToDo(args: SessionArguments): Promise<UsageError> {
  if (args.resume === null) {
    const { teammate } = args;
    const missing =
      teammate === null
        ? 'There is no prompt: groundplan -p "what to do"'
        : `${teammate.name} has no task: groundplan team start ${teammate.name} "what to do"`;
    return { problem: `${missing}, or give it on stdin.`, exitCode: 2 };
  }
  const waiting = await waitingHash(args, args.resume);
  if (isUsageError(waiting)) return waiting;
  const { hash } = waiting;
  const approve = hash === null ? "" : `, or its plan is approved: --approve ${hash} --permission-mode acceptEdits`;
  return { problem: `Without a terminal a session goes on by words, "…" or on stdin${approve}.`, exitCode: 2 };
}

async function withPiped(prompt: string, { streams, prompts }: Asking): Promise<{ prompt: string } | UsageError> {
  const piped = await readPipedInput(streams.stdin, { patienceMs });
  if (piped.kind === "failed") return { problem: piped.problem, exitCode: 2 };
  if (piped.kind === "silent") {
    tellPerson(streams, "nothing came on stdin within 3 seconds; going on without it (</dev/null says so at once).");
    return { prompt };
  }
  if (piped.text.trim() === "") return { prompt };
  if (isCommand(prompt) && !/^\/plan\s/.test(prompt.trim())) {
    tellPerson(streams, `stdin is no part of ${prompt.trim().split(/\s/)[0]!}; it was left out.`);
    return { prompt };
  }
  return { prompt: withPipedInput(prompts, prompt, piped.text) };
}

const patienceMs = 3_000;
