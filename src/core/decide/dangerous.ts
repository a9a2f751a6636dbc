/** Which allow rules amount to running anything: they are set aside while auto mode is active (R11.2). */

const interpreters = new Set(
  (
    "sh bash zsh dash ksh fish csh tcsh pwsh powershell cmd python python2 python3 pypy node nodejs deno bun ruby perl php lua Rscript julia " +
    "osascript tclsh groovy scala kotlin java jshell irb iex elixir erl ghci swift go awk gawk mawk nawk sed find xargs parallel env nice nohup " +
    "timeout time watch script expect setsid stdbuf sudo doas su ssh eval exec source command builtin npx bunx uvx pipx tsx ts-node npm pnpm yarn " +
    "make just task rake cargo gradle mvn docker podman kubectl curl wget vim vi nvim emacs ed ex less man git " +
    "uv poetry pipenv conda mamba bundle rails dotnet mise direnv nix nix-shell tmux screen at crontab gdb lldb strace ltrace chroot unshare " +
    "bwrap firejail systemd-run ionice taskset chrt busybox toybox sqlite psql mysql rsync scp tar zip rg cmake ninja bazel ant sbt lein mix " +
    "cabal stack zig hg svn gh aws gcloud az terraform ansible helm corepack"
  ).split(" "),
);
/** Sub-commands that are as narrow as a single program although their first word is not. */
const narrow = new Set([
  "npm test",
  "npm start",
  "yarn test",
  "pnpm test",
  "cargo test",
  "cargo build",
  "cargo check",
  "go test",
  "go build",
]);

/** A rule is dangerous when a wildcard, or no pattern at all, lets it run an interpreter or any program. */
export function isDangerous(rule: string, runners: readonly string[]): boolean {
  const match = /^([A-Za-z]+)(?:\(([\s\S]*)\))?$/.exec(rule.trim());
  if (match === null || !runners.includes(match[1]!)) return false;
  const pattern = match[2]?.trim() ?? "";
  if (pattern === "" || pattern === "*" || pattern === ":*") return true;
  const open = /^(.*?)(:\*|\s*\*.*)$/s.exec(pattern);
  if (open === null) return interpreters.has(pattern);
  const [first = "", second = ""] = open[1]!
    .trim()
    .split(/\s+/)
    .filter((word) => !/^\w+=/.test(word));
  const name = first
    .split("/")
    .at(-1)!
    .replace(/(\.exe|[\d.]+)$/i, "");
  if (narrow.has(`${name} ${second}`)) return false;
  if (readingSubcommands.test(`${name} ${second}`)) return false;
  if (interpreters.has(name)) return true;
  return !pattern.endsWith(":*") && second === "" && [...interpreters].some((program) => program.startsWith(name));
}

const readingSubcommands =
  /^(git (status|log|diff|show|blame|rev-parse|ls-files)|docker (ps|images|logs)|kubectl (get|describe|logs)|npm (ls|view|outdated))$/;
