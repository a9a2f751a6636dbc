/** Programs that start others: by their operands, by an option or by a language that they read. The one table for rules that forbid a program (B1.14). */
import type { Arg } from "./args.ts";
import { gitReaders, gitWriters } from "./commands/git-table.ts";
import { findSedEffect } from "./languages/sed.ts";

/** How a command that was not proved to only read may start others. */
export interface Start {
  /** Each further word may be the command, each text a script of the shell. */
  readonly words: boolean;
  /** It runs a text in some language, or changes what later names mean: anything may be started. */
  readonly code: boolean;
}

/**
 * `words` or `code`, then the options or sub-commands with which it is so (none: always); several ways are separated by `;`.
 * A short option also counts in a cluster, a long one also cut short, `NAME=` is any assignment, `^x` a word that begins so.
 * `files`: a program that runs a file of its own is none of it, as long as none of these options brings code.
 */
const ways: ReadonlyMap<string, string> = new Map([
  ...each(
    "words",
    "env sudo doas su pkexec runuser run0 chroot nsenter unshare setpriv capsh prlimit choom chrt taskset ionice nice renice nohup setsid setarch linux32 linux64 i386 x86_64 uname26 numactl cgexec runcon sg newgrp time timeout gtimeout stdbuf unbuffer script flock lockf watch strace ltrace rr valgrind heaptrack perf screen tmux byobu dtach abduco entr watchexec nodemon systemd-run systemd-inhibit systemd-nspawn start-stop-daemon daemonize daemon firejail bwrap proot fakeroot fakechroot faketime xvfb-run dbus-run-session dbus-launch ssh-agent xargs gxargs parallel sem find gfind fd fdfind busybox toybox exec command builtin coproc ssh autossh mosh sshpass rsh eval trap tini dumb-init gosu su-exec chpst softlimit setuidgid envuidgid envdir s6-setuidgid xterm gnome-terminal konsole alacritty kitty wezterm open xdg-open hyperfine multitime chronic concurrently npx bunx uvx pnpx pipx direnv dotenv dotenvx op doppler infisical chamber aws-vault sops summon mise asdf nvm pyenv rbenv volta fnm bundle bundler foreman overmind honcho nix nix-shell guix conda mamba micromamba docker podman nerdctl kubectl oc lxc machinectl vagrant cross wine box64 qemu-x86_64 qemu-aarch64 qemu-arm",
  ),
  ...each("code", ". source alias fc at batch crontab history-expand"),
  ...each(
    "code",
    "awk gawk mawk nawk original-awk bc dc m4 ed ex red vi vim nvim view vimdiff rvim gvim emacs emacsclient nano pico joe mcedit less more most mutt mail mailx w3m lynx elinks gnuplot octave maxima gp sqlplus sqlite sqlite3 mysql mariadb psql usql duckdb mongo mongosh redis-cli expect socat ftp lftp sftp telnet minicom tclsh wish guile racket gforth clisp sbcl ghci jshell irb iex erl scala kotlin groovysh jrunscript rlwrap swipl osascript ctest",
  ),
  ...each(
    "files -c -e -E -p -r -x -i -s -l -M -I -d -S -n -R -W -X --eval --print --command --exec --import --require --run --init-command --expression --loader --experimental-loader --rcfile --init-file --stdin eval",
    "bash sh dash ash zsh ksh mksh fish csh tcsh elvish nu xonsh pwsh powershell rbash python python2 python3 pypy ipython perl ruby jruby node nodejs deno bun tsx ts-node php lua luajit R Rscript julia elixir groovy swift raku",
  ),
  ...each(
    "words; code ^-ex ^-iex ^-x ^-ix ^--ex ^--eval ^--comm ^--init ^-o ^-O ^-s ^--source ^--one-line",
    "gdb lldb",
  ),
  ...each("code -p", "hash"),
  ...each("code -f", "enable"),
  ...each("code -C -F", "complete compgen"),
  ...each("code -x", "bind"),
  ...each("words -x", "jobs"),
  ...each("code expand_aliases", "shopt"),
  ...each("code -C", "mapfile readarray"),
  ...each(
    "code -I --use-compress-program --to-command --checkpoint-action -F --info-script --new-volume-script --rsh-command --rmt-command",
    "tar gtar bsdtar star",
  ),
  ...each("code -e --rsh --rsync-path", "rsync"),
  ...each("code -o -S -F -D -P -J", "scp slogin ssh-copy-id ssh-keygen ssh-add"),
  ...each("code --rsh-command --rmt-command", "cpio mt"),
  ...each("code -T --unzip-command", "zip"),
  ...each("code --compress-program", "sort gsort"),
  ...each("code --filter", "split gsplit"),
  ...each("code --strip-program -s --strip", "install ginstall"),
  ...each("code -P -H --pager --html", "man"),
  ...each("code -e -c --exec --sh-exec --lua-exec", "nc ncat netcat nc.traditional nc.openbsd"),
  ...each("code --script", "nmap"),
  ...each("code -z", "tcpdump"),
  ...each("code --use-askpass -e --execute --config", "wget wget2"),
  ...each("code engine ^-engine ^-provider ^-config", "openssl"),
  ...each("code NAME= -E --eval -f --file --makefile", "make gmake bmake remake ninja just rake"),
  ...each("code -P -E ^-D", "cmake"),
  ...each("code ^-exec ^-toolexec ^-vettool generate", "go"),
  ...each("code --config", "cargo"),
  ...each("code -C --codegen", "rustc"),
  ...each("code ^-wrapper ^-B ^-fplugin ^-specs ^-Wl ^-plugin", "gcc g++ cc c++ clang clang++ ld"),
  ...each("code -I --init-script", "gradle gradlew"),
  ...each("code ^exec: ^antrun", "mvn mvnw"),
  ...each("words exec x; code --script-shell --call -c --node-options", "npm"),
  ...each("words exec dlx node", "yarn pnpm"),
  ...each("words run exec tool", "uv poetry pdm hatch rye pipenv composer"),
  ...each("code --config --config-option --ssh --remotecmd", "hg svn"),
  ...each("code --gpg-program --agent-program --photo-viewer --options", "gpg gpg2"),
  ...each("code -o --option -c --config-file --pre-invoke", "apt apt-get dpkg aptitude"),
  ...each("code exec plugin --post-renderer", "helm"),
  ...each("code -m --module-name", "ansible"),
  ...each("code alias", "gh glab"),
  ["git bisect", "words run"],
  ["git submodule", "words foreach"],
  ["git rebase", "words -x --exec"],
  ...each(
    "code",
    "git difftool,git mergetool,git filter-branch,git send-email,git instaweb,git hook,git svn,git p4",
    ",",
  ),
  ...each(
    "code --upload-pack --receive-pack --exec ^ext:: ^fd::",
    "git fetch,git pull,git push,git ls-remote,git remote,git archive,git fetch-pack,git send-pack",
    ",",
  ),
  ["git clone", "code -u --upload-pack -c --config --template ^ext:: ^fd::"],
  ["git init", "code --template"],
  ["git grep", "code -O --open-files-in-pager"],
  ...each("code --ext-diff --textconv", "git diff,git log,git show", ","),
]);

const loader = /^ld[\w.-]*\.so[\d.]*$/;

export function startOf(program: string, args: readonly Arg[]): Start {
  const name = program.toLowerCase();
  if (name === "git") return startOfGit(args);
  if (/^g?sed$/.test(name)) return { words: false, code: runsInSed(args) };
  const way = wayOf(name);
  if (way === null) return { words: false, code: evaluators.has(name) && args.some(isEvaluated) };
  const dashed = name.endsWith("tar") && args[0]?.text?.startsWith("-") === false;
  return startBy(way, dashed ? [{ ...args[0]!, text: `-${args[0]!.text}` }, ...args.slice(1)] : args);
}

function startBy(way: string, args: readonly Arg[]): Start {
  const found = way.split("; ").map((one) => one.split(" "));
  const holds = (kind: string): boolean =>
    found.some(
      ([how, ...options]) => how === kind && (options.length === 0 || args.some((arg) => isOneOf(arg, options))),
    );
  const files = found.find(([how]) => how === "files");
  return { words: holds("words"), code: holds("code") || (files !== undefined && !runsFile(args, files.slice(1))) };
}

/** `python3.11`, `lua5.4`, `clang-15`: as without the number. */
function wayOf(name: string): string | null {
  if (loader.test(name)) return "words";
  const plain = name.replace(/[-.\d]+$/, "");
  return ways.get(name) ?? ways.get(plain) ?? ways.get(`${plain}3`) ?? null;
}

function runsFile(args: readonly Arg[], options: readonly string[]): boolean {
  const first = args.findIndex(({ text }) => text === null || !/^[-+]/.test(text));
  const file = args[first]?.text;
  if (file === undefined || file === null || /^\/(dev|proc)\//.test(file)) return false;
  return !args.slice(0, first + 1).some((arg) => isOneOf(arg, options));
}

/** Whether a word is, holds, or may be one of these. */
function isOneOf({ text, head, mayBeOption }: Arg, options: readonly string[]): boolean {
  if (text === null) return mayBeOption || options.some((option) => head !== "" && option.startsWith(head));
  return options.some((option) => {
    if (option === "NAME=") return /^\w+[:+?!]*=/.test(text);
    if (option.startsWith("^")) return text.startsWith(option.slice(1));
    if (!option.startsWith("-")) return text === option;
    if (!option.startsWith("--")) return /^-[^-]/.test(text) && text.includes(option[1]!);
    const long = text.split("=")[0]!;
    return long.length > 2 && option.startsWith(long);
  });
}

/** Builtins that evaluate their words where an index or a number is wanted. */
const evaluators: ReadonlySet<string> = new Set(
  "let declare typeset local readonly export unset test [ printf read wait getopts".split(" "),
);

function isEvaluated({ text }: Arg): boolean {
  return text !== null && /\$\(|`|\[.*\$/.test(text);
}

/** Whether a script of sed, in place or not, may run a command; one in a file may. */
function runsInSed(args: readonly Arg[]): boolean {
  const scripts: (string | null)[] = [];
  for (const [index, { text }] of args.entries()) {
    const given = /^(?:-[nErsuzi]*e|--expr\w*=)([\s\S]*)$/.exec(text ?? "");
    if (text === null || /^-[nErsuz]*f|^--fi/.test(text)) return true;
    if (given !== null || text === "--expression") scripts.push(given?.[1] || (args[index + 1]?.text ?? null));
  }
  const first = args.find(({ text }) => text?.startsWith("-") !== true);
  if (scripts.length === 0) scripts.push(first?.text ?? null);
  return scripts.some((script) => script === null || findSedEffect(script).fault !== null);
}

const takesValue = /^(-C|-c|--git-dir|--work-tree|--namespace|--config-env|--super-prefix)$/;
/** Configuration that names no program. */
const plainKeys =
  /^(user|author|committer|color|column|advice|log|status|branch|tag|push|pull|fetch|merge|rebase|init|i18n|http|commit|format|core\.(quotepath|abbrev|autocrlf|eol|safecrlf|filemode|ignorecase|longpaths|symlinks|bare|excludesfile|whitespace))\.?[\w.-]*(=|$)/i;

function startOfGit(args: readonly Arg[]): Start {
  const isOwn = ({ text }: Arg, index: number): boolean =>
    text?.startsWith("-") === true || takesValue.test(args[index - 1]?.text ?? "");
  const at = args.findIndex((arg, index) => !isOwn(arg, index));
  const before = at < 0 ? args : args.slice(0, at);
  const rest = at < 0 ? [] : args.slice(at + 1);
  const name = at < 0 ? "--help" : args[at]!.text;
  const settings = before.flatMap(({ text }, index) =>
    (text ?? "-c").startsWith("-c") ? [text === "-c" ? before[index + 1]?.text : text?.slice(2)] : [],
  );
  const key = rest.find(({ text }) => text === null || (!text.startsWith("-") && text.includes(".")))?.text;
  const configured = name === "config" && key !== undefined ? [...settings, key] : settings;
  const isPlain = configured.every((setting) => plainKeys.test(setting ?? ""));
  const isKnown =
    name !== null &&
    (at < 0 ||
      Object.hasOwn(gitReaders, name) ||
      gitWriters.includes(name) ||
      /^(config|remote|bisect|submodule|sparse-checkout|lfs)$/.test(name));
  if (!isPlain || !isKnown || before.some(({ text }) => /^--(exec-path=|config-env)/.test(text ?? "")))
    return { words: false, code: true };
  const way = `git ${name}`;
  const known = ways.get(way);
  return known === undefined ? { words: false, code: false } : startBy(known, rest);
}

function each(way: string, names: string, separator = " "): readonly (readonly [string, string])[] {
  return names.split(separator).map((name) => [name, way] as const);
}
