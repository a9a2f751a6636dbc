/** The person's own editor on a text or a file: `$VISUAL`, `$EDITOR`, the setting, else one that is known (R4). */
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { findProgram } from "../../../agent/host/launch/find-program.ts";
import { searchPath } from "../../../agent/host/launch/search-path.ts";
import type { FaceOptions } from "../link.ts";
import type { EditOutcome } from "./surface.ts";

/** The command line of the editor, null when none is known. */
export function chooseEditor(setting: string | null, environment: FaceOptions["environment"]): string | null {
  const named = [environment["VISUAL"], environment["EDITOR"], setting].find((name) => (name ?? "").trim() !== "");
  if (named !== undefined && named !== null) return named.trim();
  if (process.platform === "win32") return "notepad.exe";
  const path = searchPath({ path: environment["PATH"], directories: [process.cwd()], home: environment["HOME"] });
  return known.find((name) => findProgram(name, path) !== null) ?? null;
}

/** As a person calls it: `code --wait` is "code". */
export function editorName(command: string): string {
  return basename(command.split(/\s+/)[0] ?? command);
}

/** Resolves when the editor has ended: null, or why it failed. The terminal must have been given back before. */
export async function runEditor(command: string, file: string): Promise<string | null> {
  const [{ launch }, { personalEnvironment }] = await Promise.all([
    import("../../../agent/host/launch/launch.ts"),
    import("../../../agent/host/launch/environment.ts"),
  ]);
  const directory = process.cwd();
  const [program, args] = commandLine(command, file);
  const environment = personalEnvironment(process.env, directory);
  const child = launch({ program, args, directory, environment, stdio: "inherit" });
  if (child instanceof Error) return child.message;
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => {
      if (code === 0) resolve(null);
      else if (code === 127) resolve(`there is no program ${editorName(command)}`);
      else resolve(`${editorName(command)} ended with ${signal ?? `exit code ${code}`}`);
    });
  });
}

/** As other programs read these variables: words of a shell, so that options and quoted paths work. */
function commandLine(command: string, file: string): [program: string, args: string[]] {
  const isVisual = /^(code|cursor|codium|subl|zed)(\.cmd|\.exe)?$/.test(editorName(command));
  const waits = /\s(-w|--wait)(\s|$)/.test(command);
  const whole = isVisual && !waits ? `${command} --wait` : command;
  return process.platform === "win32"
    ? ["cmd", ["/d", "/s", "/c", `${whole} "${file}"`]]
    : ["sh", ["-c", `${whole} "$@"`, command, file]];
}

/** A text in a file of its own that only the person may read; an editor closed without a change changes nothing (B3.5). */
export async function editText(command: string | null, text: string, name: string): Promise<EditOutcome> {
  if (command === null) return { kind: "failed", reason: noEditor };
  const { mkdtemp, readFile, rm, writeFile } = await import("node:fs/promises");
  const folder = await mkdtemp(join(tmpdir(), "groundplan-"));
  try {
    const file = join(folder, basename(name) === "" ? "text.md" : basename(name));
    await writeFile(file, text, { mode: 0o600 });
    const problem = await runEditor(command, file);
    if (problem !== null) return { kind: "failed", reason: problem };
    const edited = await readFile(file, "utf8");
    return edited === text ? { kind: "unchanged" } : { kind: "edited", text: edited };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

export const noEditor = "no editor is known; set $VISUAL, $EDITOR or the setting `editor`";
const known = ["nano", "vim", "vi", "emacs"];
