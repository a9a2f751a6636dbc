/** The reading forms of git's sub-commands. */
import type { Rule, Table } from "../call.ts";
import { each } from "../call.ts";
import { applyRule, judgeBySpec, judgeWith, parseOptions, show, valuesFor } from "../options.ts";
import { unproven, writes } from "../walk.ts";

const diff =
  "-p -u --patch -s --no-patch -U= --unified= --raw --patch-with-raw --patch-with-stat --indent-heuristic --no-indent-heuristic --minimal --patience --histogram --anchored= --diff-algorithm= --stat? --stat-width= --stat-count= --stat-name-width= --stat-graph-width= --compact-summary --numstat --shortstat -X? --dirstat? --cumulative --dirstat-by-file? --summary --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved --color-moved-ws= --word-diff? --word-diff-regex= --color-words? --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary --abbrev? --no-abbrev -B? --break-rewrites? -M? --find-renames? -C? --find-copies? --find-copies-harder -D --irreversible-delete -l= --diff-filter= -S= -G= --find-object= --pickaxe-all --pickaxe-regex -O=< --skip-to= --rotate-to= -R --relative? --no-relative -a --text --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space --ignore-blank-lines -I= --ignore-matching-lines= --inter-hunk-context= -W --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index --ita-visible-in-index -z --cc -c -m --diff-merges= --no-diff-merges --combined-all-paths -t --output=> --ext-diff! ";

const revisions =
  "-# -n= --max-count= --skip= --since= --after= --until= --before= --since-as-filter= --author= --committer= --grep= --grep-reflog= --all-match --invert-grep -i --regexp-ignore-case --basic-regexp -E --extended-regexp -F --fixed-strings -P --perl-regexp --remove-empty --merges --no-merges --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob= --exclude= --exclude-hidden= --reflog -g --walk-reflogs --alternate-refs --ignore-missing --bisect --cherry-mark --cherry-pick --left-only --right-only --cherry --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --pretty? --format= --abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --standard-notes --no-standard-notes --relative-date --date= --parents --children --left-right --graph --no-graph --show-linear-break? --follow --no-follow --no-decorate --decorate? --decorate-refs= --decorate-refs-exclude= --clear-decorations --source --use-mailmap --mailmap --no-mailmap --no-use-mailmap --full-diff --log-size -L= --count --objects --timestamp --disk-usage? --header --no-object-names --max-age= --min-age= ";

const history = `${diff}${revisions}| data*`;
const comparing = `${diff}--cached --staged --merge-base --no-index --base --ours --theirs -0 -1 -2 -3 -q -r --root --stdin --always --no-commit-id -v --pretty? --format= --oneline | data*`;

const filters =
  "--contains= --no-contains= --merged? --no-merged? --points-at= --sort= --format= --column? --no-column --color? --no-color -i --ignore-case --omit-empty -l --list ";
const lists = ["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];

/** Names are created by operands unless an option makes it a list. */
function listing(options: string, listers: readonly string[]): Rule {
  return (call) => {
    const parsed = parseOptions(call, options);
    if ("judgement" in parsed) return parsed;
    if (parsed.operands.length === 0 || listers.some((name) => parsed.options.has(name))) return null;
    return writes(`${call.name} ${show(parsed.operands[0]!)} creates or changes a name`, parsed.operands[0]!.span);
  };
}

const configuration =
  "--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --list -l --global --local --system --worktree -f=< --file=< --blob= --show-origin --show-scope --show-names --no-show-names --name-only -z --null --type= --bool --int --bool-or-int --path --expiry-date --includes --no-includes --default= --all --regexp --value= --fixed-value --url= -e! --edit! --add! --unset! --unset-all! --replace-all! --rename-section! --remove-section!";

/** Git ends the options at the first operand; one that would write is refused wherever it stands. */
const config: Rule = (call) => {
  const anywhere = parseOptions(call, configuration);
  if ("judgement" in anywhere) return anywhere;
  const parsed = parseOptions(call, `. ${configuration}`);
  if ("judgement" in parsed) return parsed;
  const { options, operands } = parsed;
  const many = operands.find((arg) => arg.many);
  if (many !== undefined) return unproven(`git config: ${show(many)} may become several words`, many.span);
  const [first] = operands;
  if (first?.text === "get" || first?.text === "list") return null;
  if (/^(set|unset|rename-section|remove-section|edit)$/.test(first?.text ?? ""))
    return writes(`git config ${first!.text}`, first!.span);
  const reads = [...options.keys()].some((name) => /^(--get.*|--list|-l)$/.test(name));
  if (reads || operands.length === 1) return null;
  return operands.length === 0
    ? unproven("git config without a key", call.span)
    : writes("git config with a value sets it", operands[1]!.span);
};

/** The first operand chooses; the rest is judged by its table. */
function choose(choices: Table, bare: string | Rule | null): Rule {
  return (call) => {
    const [first, ...rest] = call.args;
    const name = first?.text ?? "";
    const chosen = Object.hasOwn(choices, name) ? choices[name] : undefined;
    if (chosen !== undefined) return applyRule({ ...call, name: `${call.name} ${name}`, args: rest }, chosen);
    const optionOnly = first === undefined || (name.startsWith("-") && bare !== null);
    if (optionOnly && bare !== null) return applyRule(call, bare);
    return writes(`${call.name} ${name} is not one of its reading forms`, first?.span ?? call.span);
  };
}

/** At most so many operands, else it sets something. */
function atMost(count: number, options: string): Rule {
  return (call) => {
    const parsed = parseOptions(call, options);
    if ("judgement" in parsed) return parsed;
    const extra = parsed.operands[count] ?? parsed.operands.find((arg) => arg.many);
    return extra === undefined ? null : writes(`${call.name} ${show(extra)} sets a reference`, extra.span);
  };
}

/** Only with one of the options that make it a rehearsal. */
function onlyWith(names: string, options: string): Rule {
  return (call) =>
    judgeWith(call, options, {
      names,
      otherwise: writes(`${call.name} without ${names.split(" ")[0]} changes files`, call.span),
    });
}

const reflog: Rule = (call) => {
  const [first] = call.args;
  if (first !== undefined && first.text === null) return unproven("git reflog may change the log", first.span);
  if (/^(expire|delete|drop|write)$/.test(first?.text ?? "")) return writes(`git reflog ${first!.text}`, first!.span);
  return judgeBySpec(call, history);
};

const remoteShow: Rule = (call) => {
  const parsed = parseOptions(call, "-n");
  if ("judgement" in parsed) return parsed;
  if (parsed.operands.length === 0 || parsed.options.has("-n")) return null;
  return unproven("git remote show asks the remote: add -n", call.span);
};

const archive: Rule = (call) => {
  const parsed = parseOptions(
    call,
    "-l --list --format= --prefix= -v --verbose --worktree-attributes -0 -9 --mtime= --add-virtual-file= -o=> --output=> --remote! --exec!",
  );
  if ("judgement" in parsed) return parsed;
  const format = valuesFor(parsed, "--format").find(({ text }) => !/^(tar|zip)$/.test(text ?? ""));
  if (format === undefined) return null;
  return unproven(`git archive --format ${show(format)} may run a compressor`, format.span);
};

/** Only with --stdout; its `-n` and `-v` are not those of the log. */
const patches = onlyWith(
  "--stdout",
  "--stdout -# -k -N -s -p -M -C -n --numbered --no-numbered --keep-subject --subject-prefix= --rfc --root --stat --no-stat --no-signature --signature= --base= --zero-commit --no-binary --full-index -U= --unified= --minimal --patience --histogram --suffix= --start-number= --abbrev= --cover-letter --signoff --from? --no-thread --ignore-if-in-upstream --no-notes --no-renames --find-renames --topo-order --no-prefix | data*",
);

/** A folder alone: a name or none asks another machine. */
const listRemote: Rule = (call) => {
  const parsed = parseOptions(
    call,
    "-h -t -q --heads --branches --tags --refs --quiet --exit-code --get-url --sort= --symref",
  );
  if ("judgement" in parsed) return parsed;
  const [remote] = parsed.operands;
  if (remote !== undefined && /^\.{1,2}(\/[\w./-]*)?$/.test(remote.text ?? "")) return null;
  return unproven("git ls-remote asks another machine", remote?.span ?? call.span);
};

export const gitReaders: Table = {
  "format-patch": patches,
  "merge-file": onlyWith(
    "-p --stdout",
    "-p --stdout -q --quiet -L= --ours --theirs --union --diff3 --zdiff3 --marker-size= --diff-algorithm= | in in in",
  ),
  "ls-remote": listRemote,
  "interpret-trailers": onlyWith("--parse", "--parse --only-trailers --only-input --unfold --no-divider | in*"),
  ...each("log show whatchanged", history),
  reflog,
  "rev-list": history,
  "range-diff": `${diff}--creation-factor= --no-dual-color --left-only --right-only | data*`,
  shortlog: `${revisions}-n -s -e -c -w? --numbered --summary --email --group= | data*`,
  diff: comparing,
  ...each("diff-tree diff-index diff-files", `${comparing.split("|")[0]}${revisions}| data*`),
  ...each(
    "blame annotate",
    `${revisions}-n -b --root --show-stats -l -t -S=< --reverse -p --porcelain --line-porcelain --incremental --contents=< -M? -C? --ignore-rev= --ignore-revs-file=< --color-lines --color-by-age -c -f --show-name --show-number -s -e --show-email -w --abbrev= --minimal --progress --no-progress | data*`,
  ),
  ...each(
    "status rev-parse ls-files ls-tree merge-base show-ref for-each-ref name-rev check-ignore check-attr check-mailmap check-ref-format count-objects var cherry patch-id version show-branch verify-pack get-tar-commit-id stripspace show-index",
    "* | data*",
  ),
  "cat-file":
    "-t -s -e -p --batch? --batch-check? --batch-command? --batch-all-objects --buffer --unordered --follow-symlinks --use-mailmap --mailmap --no-mailmap --allow-unknown-type -z -Z | data*",
  describe:
    "--all --tags --contains --abbrev= --candidates= --exact-match --debug --long --match= --exclude= --always --first-parent | data*",
  grep: "-# -i -v -w -a -I -r -h -H -E -G -F -P -n -l -L -z -o -c -p -W -q -A= -B= -C= -e=^ -f=<^ -m= -O! --cached --untracked --no-index --recurse-submodules --no-exclude-standard --exclude-standard --text --ignore-case --word-regexp --invert-match --max-depth= --recursive --no-recursive --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function --context= --after-context= --before-context= --function-context --threads= --and --or --not --all-match --quiet --max-count= --no-textconv --open-files-in-pager! | data*",
  branch: listing(
    `${filters}-a -r -v -q --all --remotes --verbose --quiet --show-current --abbrev? --no-abbrev -d! -D! -m! -M! -c! -C! -f! -u! -t! --delete! --move! --copy! --force! --track! --no-track! --set-upstream-to! --unset-upstream! --edit-description! --create-reflog!`,
    lists,
  ),
  tag: listing(
    `${filters}-n? -a! -s! -d! -f! -m! -F! -u! -e! -v! --delete! --force! --annotate! --sign! --message! --file! --edit!`,
    [...lists, "-n"],
  ),
  remote: choose(
    { show: remoteShow, "get-url": "--push --all | data", "-v": choose({ show: remoteShow }, "") },
    "-v --verbose",
  ),
  config,
  stash: choose({ list: history, show: `${diff}--include-untracked -u --only-untracked | data*` }, null),
  worktree: choose({ list: "-v --verbose --porcelain -z" }, null),
  submodule: choose(
    { status: "--cached --recursive -q --quiet | data*", summary: "--cached --files -n= --summary-limit= | data*" },
    "--quiet -q",
  ),
  bisect: choose({ log: "", terms: "--term-good --term-bad --term-old --term-new" }, null),
  notes: choose({ list: "| data", show: "| data", "get-ref": "" }, ""),
  bundle: choose({ verify: "-q --quiet | in", "list-heads": "| in data*" }, null),
  "sparse-checkout": choose({ list: "" }, null),
  refs: choose({ verify: "--strict --verbose", list: "* | data*", exists: "| data" }, null),
  replace: listing("-l --list --format=", ["-l", "--list"]),
  "symbolic-ref": atMost(1, "-q --quiet --short --recurse --no-recurse -d! --delete! -m!"),
  clean: onlyWith("-n --dry-run", "-n -d -x -X -q -e= -f --dry-run --quiet --exclude= --force | data*"),
  apply: onlyWith(
    "--stat --numstat --summary --check",
    "--stat --numstat --summary --check -p= -v -R --reverse --verbose --include= --exclude= -z | in*",
  ),
  "hash-object": "-t= --stdin --stdin-paths --no-filters --literally -w! | data*",
  fsck: "--tags --root --unreachable --cache --no-reflogs --full --no-full --strict --verbose --dangling --no-dangling --connectivity-only --name-objects --progress --no-progress | data*",
  archive,
  "commit-graph": choose({ verify: "--shallow --progress --no-progress" }, null),
  "multi-pack-index": choose({ verify: "--progress --no-progress" }, null),
  column: "--mode= --raw-mode= --width= --indent= --nl= --padding= --command=",
  help: "-a -g -c --all --guides --config --no-external-commands --no-aliases --verbose",
};

export const gitWriters: readonly string[] =
  "add am checkout checkout-index cherry-pick clone commit commit-tree credential fast-import fetch fetch-pack filter-branch gc init maintenance merge merge-index mergetool mktag mktree mv pack-objects pack-redundant pack-refs prune prune-packed pull push quiltimport read-tree rebase receive-pack repack reset restore revert rm send-email send-pack stage switch unpack-file unpack-objects update-index update-ref update-server-info write-tree difftool index-pack instaweb gui citool submodule-foreach svn subtree".split(
    " ",
  );
