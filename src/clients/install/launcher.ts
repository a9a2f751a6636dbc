/** The launcher in the config home: a stable path for entries, which finds Node.js and the program of this release. */
import { chmod, lstat, rmdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { makePrivateFolder } from "../../agent/host/config-home.ts";
import { textAt } from "../../agent/host/files/read-regular.ts";
import { replaceFile } from "../../agent/host/files/replace-file.ts";
import { loadPrompts } from "../../prompts/index.ts";
import type { ClientName } from "../client.ts";
import { launcherPath } from "./launcher-path.ts";

export { launcherPath };

export interface Launcher {
  /** The config home that it lies in. */
  readonly home: string;
  readonly node: string;
  /** The hook's program of this release. */
  readonly hook: string;
}

/** True where it was missing or another one. */
export async function putLauncher(launcher: Launcher): Promise<boolean> {
  const path = launcherPath(launcher.home);
  const found = await lstat(path).catch(() => null);
  const isRight = found?.isFile() === true && textAt(path) === launcherText(launcher);
  if (isRight && (found.mode & 0o755) === 0o755) return false;
  await makePrivateFolder(launcher.home);
  await makePrivateFolder(dirname(path));
  if (isRight) await chmod(path, 0o755);
  else await replaceFile(path, launcherText(launcher), 0o755);
  return true;
}

export async function removeLauncher(home: string): Promise<void> {
  await unlink(launcherPath(home)).catch(() => undefined);
  await rmdir(dirname(launcherPath(home))).catch(() => undefined);
}

/** After the program's own deadline, before the client's: a client goes on without a hook that hangs. Where a plan may be reviewed (BeforeTool, PreToolUse review) a person takes longer. */
const watchSeconds = 25;

/**
 * A project can set variables in its client: which home is meant, and what Node.js loads first, is not its choice.
 * A tool's event must not end as "go on" by a program that crashed: only 0 and 2 are passed on, and a signal reaches the program.
 * Everything else gives its place to the program.
 */
export function launcherText({ home, node, hook }: Launcher): string {
  const prompts = loadPrompts();
  const missing = (agent: ClientName): string => guardTest(agent, prompts("clients-entry/program-missing", { agent }));
  return `#!/bin/sh
# Groundplan's guard for other agents. Made by "groundplan install", renewed by it and by "groundplan doctor".
node=${quoted(node)}
hook=${quoted(hook)}
GROUNDPLAN_HOME=${quoted(home)}
export GROUNDPLAN_HOME
unset NODE_OPTIONS NODE_PATH NODE_V8_COVERAGE NODE_COMPILE_CACHE NODE_REDIRECT_WARNINGS OPENSSL_CONF
if [ ! -s "$hook" ]; then node=$(command -v groundplan) && hook=
elif [ ! -x "$node" ]; then node=$(command -v node)
fi
if [ -z "$node" ]; then
  case "$1 $2 $3" in
    "hook claude PreToolUse") ${missing("claude")};;
    "hook codex PreToolUse") ${missing("codex")};;
    "hook gemini BeforeTool") ${missing("gemini")};;
    "hook opencode "*) ${missing("opencode")};;
    "hook "*) exit 1;;
  esac
  exit 126
fi
case "$1 $3" in
  "hook PreToolUse" | "hook BeforeTool") ;;
  *) exec "$node" \${hook:+"$hook"} "$@";;
esac
exec 3<&0
"$node" \${hook:+"$hook"} "$@" <&3 3<&- &
child=$!
watch=
case "$3 $4" in "PreToolUse ")
  { trap 'kill "$nap"' TERM; sleep ${watchSeconds} & nap=$!; wait "$nap" && kill -KILL "$child"; } <&- >/dev/null 2>&1 3<&- &
  watch=$!;;
esac
trap 'kill -TERM "$child"' TERM INT HUP
while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || break
done
[ -z "$watch" ] || kill "$watch" 2>/dev/null
[ "$code" = 0 ] || exit 2
`;
}

/** Ends with 2 and the words; where the payload on stdin tells that the agent does not plan, with 0. No single quote, no backslash. */
export function guardTest(agent: ClientName, words: string): string {
  const refuse = `echo "${words}" >&2; exit 2`;
  if (agent !== "claude") return refuse;
  const mode = `$(grep -oE ".permission_mode. *: *.[A-Za-z]+.")`;
  return `case "${mode}" in ""|*plan*) ${refuse};; esac; exit 0`;
}

/** One word of the shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What stands between double quotes of the shell. */
export function inDoubleQuotes(text: string): string {
  return text.replaceAll(/[\\"$`]/g, String.raw`\$&`);
}
