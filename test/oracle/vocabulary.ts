/** What the oracle's commands are made of: our own lists, the guard's tables and the tools' own help texts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "../support/walk.ts";

export interface KnownCommand {
  readonly name: string;
  /** Options as they are written, `=` at the end of those that take a value. */
  readonly options: readonly string[];
}

export const files =
  String.raw`README.md src/index.ts src/lib/math.ts docs/guide.md data/fruit.txt data/fruit2.txt data/nums.txt data/users.csv
  data/users.json logs/app.log package.json . src data docs ./README.md src/*.ts data/*.txt *.md * ./* ~ .. /etc/hostname /etc/passwd /dev/null - missing.txt
  trap/find/* ./-delete -delete --output=PWNED -oPWNED link.md changes.patch data/sample.tar.gz data/readme.gz data/app.db .git .git/config .gitignore`.split(
    /\s+/,
  );

export const values =
  String.raw`1 2 5 10 0 -1 +2 1,3 a b x TODO export demo 'a b' "$HOME" '*.ts' '%s\n' ':' , / always never auto json short full PWNED ./PWNED
  /dev/null /dev/stdout src README.md ./scripts/hit.sh sh 'touch PWNED' cat HEAD HEAD~1 main name,age UTF-8 C.UTF-8 1K %H '%h %s' '{}' '$(touch PWNED)' "$x" $x`
    .split(/(?<!'[^' ]*) (?![^' ]*')|\n\s+/)
    .filter(Boolean);

/** Parts of small languages; letters in braces are replaced by other parts. */
export const languages: Readonly<Record<string, readonly string[]>> = {
  sed: [
    "{A}{C}",
    "{A}{C};{A}{C}",
    "{A}{{A}{C};{C}}",
    "s/a/b/{F}",
    "s,a,b,{F}",
    "/x/{C}",
    "{A}!{C}",
    "y/abc/xyz/",
    ":a;N;$!ba;{C}",
  ],
  "sed.A": ["", "1", "$", "1,3", "/a/", "/a/,/b/", "2~2", "\\,x,", "0,/a/", "1,+2", "$!"],
  "sed.C": [
    "p",
    "d",
    "q",
    "=",
    "n",
    "N",
    "h;G",
    "x",
    "l",
    "D",
    "P",
    "w PWNED",
    "e",
    "e date",
    "r README.md",
    "R README.md",
    "W PWNED",
    "F",
    "z",
    "i\\text",
    "a\\text",
    "c\\text",
    "q5",
    "s/a/b/w PWNED",
    "w /dev/stdout",
    "r/dev/stdin",
    "t",
    "b",
    "s/x/y/;w/dev/stderr",
  ],
  "sed.F": ["", "g", "p", "gp", "2", "I", "w PWNED", "e", "ge", "m", "gw /dev/stdout", "3gI"],
  awk: [
    "{P}",
    "BEGIN{{S}}",
    "{P};{P}",
    "BEGIN{x=1}{P}END{{S}}",
    "function f(a){return a}{P}",
    "/a/",
    "NR>2",
    "NR==1,NR==3",
    "$1 > 2",
    "!seen[$0]++",
    "length($0) > 10 {P}",
  ],
  "awk.P": [
    "{print}",
    "{print $1}",
    "{{S}}",
    "{print $1,$NF}",
    '{printf "%s\\n",$1}',
    "{n+=$1}",
    "{a[$1]++}",
    "NR>1{print $2}",
  ],
  "awk.S": [
    "print x",
    'print "a" > "PWNED"',
    'print "a" >> "PWNED"',
    'print "a" | "cat"',
    'system("date")',
    '"date" | getline x',
    'getline x < "README.md"',
    "print length(x)",
    "print substr($0,1,3)",
    "print ($1 > 2)",
    "for(k in a)print k",
    "print toupper($0)",
    "exit 1",
    'printf("%d",3) > "/dev/stderr"',
    'print > "/dev/stdout"',
    "print a>b",
    "close(x)",
    "fflush()",
    "next",
    "print -1 ",
    'print "x" > "/dev/null"',
    '@load "filefuncs"',
    "print strftime()",
    'print ENVIRON["HOME"]',
    "print ARGV[1]",
    'ARGV[1]="x"',
    'print "a" |& "cat"',
    "nextfile",
    'print substr("hello", 2) > $1',
  ],
  find: ["{T}", "{T} {X}", "( {T} -o {T} ) {X}", "! {T} {X}", "{T} -prune -o {T} {X}", "-not {T} {X}", "{T} , {X}"],
  "find.T": [
    "-name '*.ts'",
    "-type f",
    "-type d",
    "-mtime -1",
    "-size +1k",
    "-path './.git' -prune",
    "-newer README.md",
    "-maxdepth 2",
    "-empty",
    "-perm -u+x",
    "-regex '.*md'",
    "-iname readme*",
    "-newermt 2020-01-01",
    "-samefile README.md",
    "-user root",
    "-executable",
    "-links 1",
    "-xdev",
    "-depth",
    "-true",
    "-follow",
    "-ignore_readdir_race",
    "-fstype ext4",
    "-context x",
  ],
  "find.X": [
    "",
    "-print",
    "-print0",
    "-ls",
    "-printf '%p\\n'",
    "-exec cat {} \\;",
    "-exec grep -l a {} +",
    "-exec sh -c 'cat \"$1\"' _ {} \\;",
    "-delete",
    "-fprint PWNED",
    "-fprintf PWNED %p",
    "-fls PWNED",
    "-execdir cat {} \\;",
    "-ok cat {} \\;",
    "-okdir rm {} \\;",
    "-quit",
    "-exec touch PWNED \\;",
    "-exec head -1 {} \\; -print",
    "-exec {} \\;",
    "-exec env ls {} \\;",
    "-exec sed -n 1p {} +",
    "-exec find {} -delete \\;",
    "-files0-from -",
    "-exec git log -1 -- {} \\;",
  ],
  jq: [
    ".",
    ".[]",
    ".name",
    "keys",
    ".[] | .name",
    "length",
    "map(.age)",
    "input",
    "inputs",
    "env",
    "$ENV.HOME",
    "input_filename",
    "@sh",
    "@base64",
    "debug",
    "stderr",
    "halt_error",
    'include "x"; .',
    'import "x" as y; .',
    "$__prog_args",
    'getpath(["a"])',
    "limit(1;.[])",
    "now",
    'splits("a")',
    'ltrimstr("a")',
    "select(.age>3)",
    "to_entries",
    "[.[]|.age]|add",
    "input_line_number",
    "$__loc__",
    "get_search_list",
    "error",
    "ascii",
    "tojson",
    '@json "x\\(.)"',
  ],
  git: `status|status -s|status -sb --ignored|diff|diff --stat|diff HEAD~1|diff --cached|diff -- docs|diff --output=PWNED|diff --ext-diff|diff --no-index README.md docs/guide.md|diff --textconv|log|log --oneline -3|log -p -1
    log --output=PWNED -1|log --format=%H|log -S step|log -L1,2:README.md|log --follow README.md|log --since=yesterday|log -g|show|show HEAD~1:README.md|show --stat|show v1.0.0|blame README.md|blame -L1,2 docs/guide.md|annotate README.md
    branch|branch -a|branch -vv|branch --list 'f*'|branch new|branch -d bugfix|branch --contains HEAD|branch -r|branch --show-current|branch -m x|branch --edit-description|tag|tag -l|tag -n|tag new|tag -d v1.0.0|tag --contains HEAD|tag -v v1.0.0
    remote|remote -v|remote show|remote get-url origin|remote add x y|remote update|remote prune origin|stash list|stash show -p|stash|stash pop|stash drop|config --list|config --get user.name|config user.name Eve|config -l --show-origin|config --global --edit|config get user.name|config list
    rev-parse HEAD|rev-parse --show-toplevel|rev-list --count HEAD|rev-list --all|ls-files|ls-files -s|ls-files --others|ls-tree -r HEAD|cat-file -p HEAD|cat-file --batch-check|cat-file --textconv HEAD:README.md|cat-file --filters HEAD:README.md|hash-object README.md|hash-object -w README.md
    grep step|grep -n TODO|grep -O step|grep --open-files-in-pager=cat step|grep --textconv step|describe --tags|describe --dirty|describe --always|shortlog -s HEAD|shortlog|reflog|reflog show|reflog expire --all|reflog delete HEAD@{0}|for-each-ref|for-each-ref --format='%(refname)'|show-ref|symbolic-ref HEAD|symbolic-ref HEAD refs/heads/main
    merge-base HEAD HEAD~1|merge-tree HEAD HEAD~1|merge-tree --write-tree HEAD bugfix|name-rev HEAD|var -l|var GIT_EDITOR|version|--version|help|help log|help -a|check-ignore node_modules|check-attr -a README.md|count-objects -v|fsck|fsck --lost-found|gc --auto|worktree list|worktree prune|submodule status|submodule|submodule foreach ls|bisect log|notes list|notes show|notes add -m x
    archive HEAD|archive --format=tar.gz HEAD|archive -o PWNED HEAD|archive --output=PWNED HEAD|bundle list-heads x|bundle create PWNED HEAD|format-patch -1|format-patch --stdout -1|diff-tree -p HEAD|diff-index HEAD|diff-files|whatchanged -1|range-diff HEAD~1..HEAD HEAD~2..HEAD|cherry main bugfix|ls-remote|ls-remote .|fetch --dry-run|push --dry-run|pull|clean -n|clean -nd|clean -f|verify-commit HEAD|verify-tag v1.0.0
    rerere status|rerere diff|sparse-checkout list|apply --check changes.patch|apply --stat changes.patch|apply changes.patch|add -n README.md|rm -n README.md|mv -n a b|commit --dry-run|checkout --help|update-index --refresh|update-index -q --refresh|read-tree -n HEAD|write-tree|mktree|commit-tree HEAD^{tree} -m x|pack-refs|prune -n|repack|credential fill|interpret-trailers README.md|stripspace|column --mode=plain|check-ref-format x|get-tar-commit-id|patch-id|mailinfo a b|show-branch|show-index|unpack-file HEAD:README.md|verify-pack -v x|difftool --tool-help|mergetool --tool-help|maintenance run|multi-pack-index verify|replace -l|instaweb|request-pull HEAD~1 .|whatchanged --output=PWNED|send-email --dump-aliases|daemon|upload-pack .|receive-pack .|fast-export HEAD|for-each-repo --config=x ls|hook run pre-commit|bugreport|diagnose`.split(
    /\||\n\s*/,
  ),
};

export const programs =
  String.raw`ls cat head tail wc sort uniq cut tr grep rg find sed awk gawk jq tree du df stat file diff cmp comm join paste nl tac rev fold fmt expand
  unexpand column od xxd hexdump strings base64 md5sum sha1sum sha256sum cksum b2sum sum date cal uname hostname whoami id groups who w uptime free ps pgrep top lscpu lsblk lsof env printenv echo printf pwd
  basename dirname realpath readlink seq yes true false test expr bc dc factor shuf split csplit tee xargs timeout nice nohup time stdbuf which whereis type command tar zip unzip zipinfo gzip gunzip zcat bzip2 xz zgrep
  man info apropos whatis getconf locale tput stty tty nproc arch getent ip ss netstat ping dig nslookup host curl wget openssl gpg ssh scp rsync make gcc cc ld nm objdump readelf ldd size strip ar c++filt python3 python node npm
  perl ruby php lua go cargo rustc javac java mvn gradle pip pip3 apt apt-cache apt-get dpkg dpkg-query rpm brew systemctl journalctl dmesg mount umount lspci lsusb sysctl crontab at ulimit umask sqlite3 psql mysql redis-cli docker kubectl
  gh terraform aws gcloud iconv dos2unix patch ed ex vi less more pr look tsort ptx numfmt truncate dd mktemp touch mkdir rm cp mv ln chmod chown install kill pkill sleep watch script strace gdb diff3 sdiff dircolors pathchk logname users
  last lastlog vmstat iostat mpstat pmap pstree fuser chrt ionice taskset setsid flock logger wall write mesg link unlink sync shred hash help alias history jobs declare local export set shopt trap read mapfile`.split(
    /\s+/,
  );

/** The commands in the guard's own tables, with the options that they list; and git's sub-commands with anyone's options. */
export function tableCommands(): KnownCommand[] {
  const folder = fileURLToPath(new URL("../../src/shell/commands", import.meta.url));
  const tables = filesBelow(folder)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => ({ prefix: name.startsWith("git") ? "git " : "", text: readFileSync(join(folder, name), "utf8") }));
  const keyed = /^\s*"?([\w.+-]+(?: [\w.+-]+)?)"?:\s*\n?\s*["\x60]((?:-|\*|\||\.|~)[^"\x60]*)["\x60]/gm;
  const shared = /each\(\s*"([^"]+)",\s*["\x60]([^"\x60]*)["\x60]/g;
  const listed = tables.flatMap(({ prefix, text }) =>
    [keyed, shared].flatMap((pattern) =>
      Array.from(text.matchAll(pattern)).flatMap(([, names = "", spec = ""]) =>
        names.split(" ").map((name) => ({ name: prefix + name, options: optionsIn(spec.split("|")[0]!) })),
      ),
    ),
  );
  const gitOptions = tables.filter(({ prefix }) => prefix !== "").flatMap(({ text }) => optionsIn(text));
  const gitCommands = [...new Set(languages["git"]!.map((text) => `git ${text.split(" ")[0]!}`))];
  return [...listed, ...gitCommands.map((name) => ({ name, options: gitOptions }))];
}

function optionsIn(spec: string): string[] {
  return spec
    .split(/[\s"\x60]+/)
    .filter((token) => /^--?[a-zA-Z][\w-]*(=?[<>^!]*|\?)$/.test(token))
    .map((token) => token.replace(/=?[<>^!]+$/, "=").replace(/\?$/, ""));
}

/** The options that the tools themselves say they have; `ask` runs a command in the cage. */
export async function helpCommands(
  ask: (command: string) => Promise<string>,
  names: readonly string[] = programs,
): Promise<KnownCommand[]> {
  const text = await ask(
    `for name in ${names.join(" ")}; do echo "@@ $name"; timeout 5 "$(type -P "$name" || echo true)" --help 2>&1 < /dev/null | head -c 40000; done`,
  );
  return text
    .split(/^@@ /m)
    .slice(1)
    .map((part) => ({
      name: part.split("\n")[0]!,
      options: [...new Set(part.match(/(?<![\w-])--?[a-zA-Z][\w-]*=?/g) ?? [])],
    }))
    .filter(({ options }) => options.length > 0);
}
