/** The shell that the client itself starts: which lines every shell reads alike, and what in its environment would make them do something else. */
import { isAbsolute, resolve } from "node:path";
import { isExecutable } from "../../agent/host/launch/find-program.ts";
import { foreignFolders, realOf } from "../../agent/host/launch/search-path.ts";
import { isInside } from "../../core/decide/access.ts";

export interface ClientShell {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** The project and the folders added to it. */
  readonly roots: readonly string[];
}

/** The variable by which the client's shell would run a program of the project before any command, caged ones included; null where there is none. */
export function trapIn(shell: ClientShell): string | null {
  const { environment } = shell;
  const isSet = (name: string): boolean => (environment[name] ?? "") !== "";
  const places = [...startFiles, ...loaderPlaces].find((name) => isSet(name) && !isOutside(environment[name]!, shell));
  if (places !== undefined) return places;
  /** Shell options from outside may trace, and the prompt of the trace is expanded. */
  return isSet("SHELLOPTS") && /[$`]/.test(environment["PS4"] ?? "") ? "PS4" : null;
}

/** Whether this line, which was proved to only read, also only reads as the client's shell runs it: whatever that shell is, and in that environment. */
export function mayRunBare(command: string, shell: ClientShell): boolean {
  const [program] = plainLine.test(command) ? command.trim().split(/[ \t]+/) : [];
  if (program === undefined || needsCleaning.has(program)) return false;
  if (program.endsWith("grep") && followsLinks.test(command)) return false;
  const isChanged = Object.entries(shell.environment).some(
    ([name, value]) => value !== undefined && value !== "" && changesReaders.test(name),
  );
  return !isChanged && [program, ...(starts.get(program) ?? [])].every((name) => isOutsideProgram(name, shell));
}

/** Scripts on many systems: what they start is looked for on the same PATH. */
const starts: ReadonlyMap<string, readonly string[]> = new Map([
  ["egrep", ["grep"]],
  ["fgrep", ["grep"]],
]);

/** Words that sh, bash, zsh and fish hand on as they stand: no expansion at a word's start (`=cmd`, `~`, `^`), no escape within quotes, no comment. */
const plainWord = "(?:[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:=@%+,-]*|'[^'\\\\\\0]*'|\"[^\"$`\\\\!\\0]*\")";
const plainLine = new RegExp(`^[ \\t]*[a-z0-9]+(?:[ \\t]+${plainWord})*[ \\t]*$`);

/** What they tell is the environment, which is not cleaned there. */
const needsCleaning: ReadonlySet<string> = new Set(["printenv"]);

/** Into whatever a link of the project leads to: only the cage hides there what may not be read. */
const followsLinks = /[ \t]['"]?(?:-[A-Za-z0-9]*R|--deref)/;

/** Read by a shell when it starts; a file of the person's own may define what they like. */
const startFiles = ["BASH_ENV", "ENV", "ZDOTDIR"];

/** Where the system's loader finds code. */
const loaderPlaces = [
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "LD_AUDIT",
  "DYLD_INSERT_LIBRARIES",
  "DYLD_LIBRARY_PATH",
  "GCONV_PATH",
  "LOCPATH",
];

/** With one of these a reader may be another one, read the line otherwise, or write. */
const changesReaders =
  /^(BASH_ENV|ENV|ZDOTDIR|FPATH|SHELLOPTS|BASHOPTS|BASH_XTRACEFD|BASH_COMPAT|BASH_FUNC_.*|PS4|GLOBIGNORE|EXECIGNORE|IFS|POSIXLY_CORRECT|GREP_OPTIONS|TIME_STYLE|MALLOC_TRACE|GCONV_PATH|LOCPATH|NLSPATH|LD_(?!PRELOAD$|LIBRARY_PATH$).*|DYLD_(?!INSERT_LIBRARIES$|LIBRARY_PATH$).*)$/;

function isOutside(value: string, { roots, environment }: ClientShell): boolean {
  const foreign = foreignFolders(roots, environment["HOME"]);
  return value
    .split(/[: ]/)
    .filter((part) => part !== "")
    .every((part) => isAbsolute(part) && [resolve(part), realOf(part)].every((path) => !isWithin(path, foreign)));
}

/** The first one of that name on the PATH as it is; what is nowhere on it is the shell's own, or nothing. */
function isOutsideProgram(program: string, { environment, directory, roots }: ClientShell): boolean {
  const found = (environment["PATH"] ?? "")
    .split(":")
    .map((entry) => resolve(directory, entry, program))
    .find(isExecutable);
  if (found === undefined) return true;
  const foreign = foreignFolders([directory, ...roots], environment["HOME"]);
  return [found, realOf(found)].every((path) => !isWithin(path, foreign));
}

function isWithin(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isInside(path, folder));
}
