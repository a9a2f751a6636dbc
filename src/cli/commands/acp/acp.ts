/** `groundplan acp`: an agent for editors, by the Agent Client Protocol on stdio; nothing but its messages is written to stdout. */
import { parseSessionArguments, sessionOptions, type SessionArguments } from "../../args.ts";
import type { Command, OptionTable, Streams } from "../../command.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { flag } from "../../options.ts";
import { ownStdout } from "./own-stdout.ts";

const usage = `groundplan acp    an agent for editors (Zed, JetBrains, Neovim, Emacs), by the Agent Client Protocol on stdio
  Takes the options of a session: --permission-mode, --model, --plan-model, --effort, --settings, --add-dir,
  --no-sandbox, --trust, --allow-dangerously-skip-permissions.
  --setup           says which model keys are found here, and where an editor takes them from
docs/editors.md has the settings for each editor.
`;

export const acp: Command = Object.assign(serve, { words: async () => ({ options: taken() }) });

/** The options of a session that an editor does not say itself. */
function taken(): OptionTable {
  const names = new Set(
    "permission-mode model plan-model effort settings add-dir no-sandbox trust allow-dangerously-skip-permissions".split(
      " ",
    ),
  );
  return { ...Object.fromEntries(Object.entries(sessionOptions).filter(([name]) => names.has(name))), setup: flag };
}

async function serve(args: readonly string[], streams: Streams): Promise<number> {
  if (args.includes("--setup")) return (await import("./setup.ts")).setup(streams);
  const wish = parseSessionArguments(args, { command: "groundplan acp", also: ["setup"] });
  if ("problem" in wish) return complain(streams, wish.problem, 2);
  if (wish.help) {
    streams.stdout.write(usage);
    return 0;
  }
  const problem = misplaced(wish);
  return problem === null ? run(wish, streams) : complain(streams, problem, 2);
}

/** What the editor says itself. */
function misplaced({
  prompt,
  print,
  resume,
  approve,
  directory,
  output,
  input,
  maxTurns,
}: SessionArguments): string | null {
  if (prompt !== null) return `${JSON.stringify(prompt)} is no option of groundplan acp: prompts come from the editor.`;
  const isRun = print || output !== "text" || input !== "text" || maxTurns !== null || approve !== null;
  if (isRun || resume !== null || directory !== null)
    return "Sessions, folders and prompts come from the editor: groundplan acp takes no option for them.";
  return null;
}

async function run(wish: SessionArguments, streams: Streams): Promise<number> {
  const stdout = ownStdout(process);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
  stdout.on("error", end);
  const say = (line: string): void => tellPerson(streams, line);
  const [{ runEditorFace }, { editorProgram }] = await Promise.all([
    import("../../../faces/editor/face.ts"),
    import("./editor-program.ts"),
  ]);
  const wire = { stdin: streams.stdin, stdout, complain: say, signal: ending.signal };
  await runEditorFace(editorProgram(wish, say), wire);
  return 0;
}
