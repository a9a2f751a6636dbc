/** Assignments: which names may be set, and what they then hold. */
import type { Assignment, Word } from "unbash";
import { ownNumbers, toArgs, variableOf } from "./args.ts";
import type { ShellRefusal, Variable, Walk } from "./walk.ts";
import { environment, joinVariables, unknown, unproven } from "./walk.ts";

/** Names that the shell, the loader or a program of the cleaned environment may act on. */
const meaningful =
  /^(PATH|HOME|IFS|ENV|PWD|OLDPWD|SHELL|SHELLOPTS|USER|LOGNAME|TMPDIR|TMP|TEMP|TERM|TERMINFO|TERMCAP|LANG|LANGUAGE|CDPATH|GLOBIGNORE|GLOBSORT|EXECIGNORE|FIGNORE|FUNCNEST|IGNOREEOF|INPUTRC|MAIL|MAILPATH|MAILCHECK|OPTARG|OPTIND|OPTERR|PIPESTATUS|RANDOM|SRANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME|LINENO|FUNCNAME|PPID|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|POSIXLY_CORRECT|TIMEFORMAT|TMOUT|UID|EUID|GROUPS|DIRSTACK|COPROC|PAGER|EDITOR|VISUAL|BROWSER|MANPAGER|LESS|MORE|CI|DISPLAY|EMACS|auto_resume|histchars|TAR_OPTIONS|TAPE|GZIP|BZIP2?|XZ_OPT|XZ_DEFAULTS|ZSTD_\w+|UNZIP|UNZIPOPT|ZIPINFO|ZIPINFOOPT|ZIPOPT|AWKPATH|AWKLIBPATH|CC|CXX|RSYNC_RSH|TREE_\w+|OPENSSL_CONF|JQ_\w+|no_proxy|NO_PROXY|ALL_PROXY|all_proxy)$|^(BASH|LC_|LD_|DYLD_|GIT_|GH_|NODE|NPM|npm_|PYTHON|PERL|RUBY|GEM|BUNDLE|JAVA|_JAVA|JDK_|MAVEN|GRADLE|CARGO|RUST|GO|XDG_|PS\d|PROMPT|HIST|COMP|READLINE|SSH_|GPG|DOCKER|KUBE|AWS_|AZURE|GOOGLE|CLOUDSDK|HELM|TF_|LESS|MAN|RIPGREP|FZF|BAT_|DEBUGINFOD|GCONV|LOCPATH|NLSPATH|MALLOC|http|https|ftp|HTTP|HTTPS|FTP|SUDO|YARN|PNPM|COREPACK|HOMEBREW|PIP|UV_|CONDA|VIRTUAL_ENV|COMPOSER|PHP|DOTNET|LUA|TCL|GUILE|ERL_|ELIXIR|MIX_|GROUNDPLAN|SQLITE|PG|MYSQL|REDIS|FORCE_|NO_|GREP|LS_|COLUMNS|LINES)/;

/** Variables that are harmless in the environment of any command of the tables, with the values they may have. */
const harmless: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(LC_[A-Z]+|LANG)$/, /^(C|POSIX|(C|(?!tr|az)[a-z]{2}_[A-Z]{2})\.(UTF-?8|utf-?8))?$/],
  [/^LANGUAGE$/, /^[a-zA-Z_:]*$/],
  [/^TERM$/, /^[\w.+-]*$/],
  [/^TZ$/, /^([A-Za-z]+([+-]?\d{1,2})?|[A-Za-z]+(\/[A-Za-z_+-]+\d{0,2}){1,2})?$/],
  [
    /^(DEBIAN_FRONTEND|PYTHONDONTWRITEBYTECODE|HOMEBREW_NO_AUTO_UPDATE|NO_UPDATE_NOTIFIER|GH_NO_UPDATE_NOTIFIER|GH_PROMPT_DISABLED|CARGO_NET_OFFLINE)$/,
    /^(1|true|noninteractive)$/,
  ],
  [/^(GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|npm_config_update_notifier)$/, /^(0|false)$/],
  [
    /^(NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|COLUMNS|LINES|CI|PYTHONUNBUFFERED|PYTHONIOENCODING|PYTHONUTF8|TIME_STYLE|BLOCKSIZE|BLOCK_SIZE|GIT_LITERAL_PATHSPECS|GIT_NO_REPLACE_OBJECTS|npm_config_loglevel|NPM_CONFIG_LOGLEVEL|RUST_BACKTRACE|CARGO_TERM_COLOR|GREP_COLORS?|LS_COLORS|QUOTING_STYLE)$/,
    /^[\w.:;=,*~-]*$/,
  ],
  [/^LESS$/, /^-?[FRXSMiNr]*$/],
  [
    /^(FOO|BAR|BAZ|QUX|VAR|NAME|MSG|[A-CXYZa-cxyz]|foo|bar|baz|name|msg|var|DEBUG|VERBOSE|NODE_ENV|RAILS_ENV|APP_ENV)$/,
    /^[\w.:,*-]*$/,
  ],
  [/^(GIT_PAGER|PAGER|MANPAGER|GH_PAGER|BAT_PAGER|DELTA_PAGER|AWS_PAGER|SYSTEMD_PAGER)$/, /^(cat|)$/],
];

export function isHarmlessEnvironment(name: string, value: string | null): boolean {
  return value !== null && harmless.some(([names, values]) => names.test(name) && values.test(value));
}

/** An assignment to a variable by which programs are found, chosen or given code. */
export const setsProgram =
  /^(PATH|ENV|IFS|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS\d|VISUAL|BROWSER|CC|CXX|CLASSPATH|\w*(PAGER|EDITOR|COMMAND|ASKPASS|OPEN|CLOSE|SSH|RSH|_SHELL|_EXEC|WRAPPER|RUNNER|LINKER|PRELOAD|FLAGS|OPTIONS|OPTS?|HOME|LIB|STARTUP|INIT|PATH)|(BASH|LD|DYLD|GIT|PERL5?|PYTHON|RUBY|NODE|NPM|npm|CARGO|RUSTC?|GO|MAKE|JAVA|_JAVA|JDK|LUA|TAR|LESS|MAN|GCC|SSH|SUDO)_?\w*)\+?=/;

/** A name without a meaning outside of this command. */
function isFreshName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && name !== "_" && !meaningful.test(name);
}

/** A name of its own that is not read-only. */
export function maySet(name: string, walk: Walk): boolean {
  return isFreshName(name) && walk.variables.get(name)?.fixed !== true;
}

/** Sets a shell variable for the commands that follow. */
export function assign(assignment: Assignment, walk: Walk): ShellRefusal | null {
  const { name, value, index } = assignment;
  const span = [assignment.pos, assignment.end] as const;
  const literal = value.type === "Word" ? (toArgs(value, walk)[0]?.text ?? null) : null;
  if (!isFreshName(name) && !isHarmlessEnvironment(name, assignment.append === true ? null : literal)) {
    return unproven(`${name} means something to the shell or to programs`, span);
  }
  if (index !== undefined && walk.variables.get(name)?.associative !== true && !isNumericWord(index, walk)) {
    return unproven(`the index of ${name} is evaluated and not known to be a number`, span);
  }
  const before = walk.variables.get(name);
  if (before?.fixed === true) return unproven(`${name} is read-only and keeps its value`, span);
  if (before?.integer === true && (literal === null || !/^-?\d+$/.test(literal))) {
    return unproven(`${name} is an integer variable: its value is evaluated`, span);
  }
  if (value.type === "ArrayValue" && !hasPlainIndexes(value.elements, before)) {
    return unproven(`an index of ${name} is evaluated and not known to be a number`, span);
  }
  const plain = value.type === "Word" && index === undefined && assignment.append !== true;
  const next = plain ? valueOf(value, walk) : unknown;
  const array = value.type === "ArrayValue" || index !== undefined ? { array: true } : {};
  const after = { ...next, ...attributesOf(before), ...array };
  walk.variables.set(name, walk.effort.mayAbort ? joinVariables(after, before ?? environment) : after);
  return null;
}

function attributesOf(before: Variable | undefined): Partial<Variable> {
  return {
    ...(before?.integer === true ? { integer: true } : {}),
    ...(before?.associative === true ? { associative: true } : {}),
    ...(before?.array === true ? { array: true } : {}),
  };
}

/** `([1]=a [2]=b)`: the index of an ordinary array is arithmetic. */
function hasPlainIndexes(elements: readonly Word[], before: Variable | undefined): boolean {
  if (before?.associative === true) return true;
  return elements.every(({ text }) => !text.startsWith("[") || !text.includes("=") || /^\[\d+\]\+?=/.test(text));
}

/** What a variable holds after this word was assigned to it: no splitting, no globbing. */
function valueOf(word: Word, walk: Walk): Variable {
  const { parts } = word;
  if (parts === undefined && !word.text.startsWith("~")) return literalVariable([word.value]);
  const only = parts?.length === 1 ? parts[0]! : undefined;
  const part = only?.type === "DoubleQuoted" && only.parts.length === 1 ? only.parts[0]! : only;
  if (part !== undefined && part.type !== "Literal" && part.type !== "Glob") {
    if (part.type.endsWith("Expansion") && part.type !== "BraceExpansion") return variableOf(part, walk);
  }
  const [arg, ...more] = toArgs(word, walk);
  return arg !== undefined && arg.text !== null && more.length === 0 ? literalVariable([arg.text]) : unknown;
}

export function literalVariable(values: readonly string[]): Variable {
  return {
    values,
    numeric: values.every((value) => /^-?\d{1,18}$/.test(value) || value === ""),
    path: values.every((value) => !value.startsWith("-") && !value.startsWith("/dev/")),
  };
}

/** A word that arithmetic may evaluate: digits, or variables that hold numbers. */
export function isNumericWord(word: Word, walk: Walk): boolean {
  return isNumericText(word.text, walk);
}

/** Proved to hold digits, or a fresh name that nobody has set. */
function numericName(name: string, walk: Walk): boolean {
  const variable = walk.variables.get(name);
  if (variable !== undefined) return variable.numeric;
  return ownNumbers.test(name) || (/^[a-z]/.test(name) && isFreshName(name));
}

export function isNumericText(text: string, walk: Walk): boolean {
  if (/^ ?-?\d+$/.test(text)) return true;
  const name = /^\$?([A-Za-z_]\w*)$|^\$\{([A-Za-z_]\w*)\}$/.exec(text);
  if (name !== null) return numericName(name[1] ?? name[2]!, walk);
  const position = /^\$(\d)$|^\$\{(\d+)\}$/.exec(text);
  if (position !== null) return walk.variables.get(position[1] ?? position[2]!)?.numeric === true;
  return /^\$(#|\?|\$|!|\{#\w+(\[[@*]\])?\})$/.test(text);
}
