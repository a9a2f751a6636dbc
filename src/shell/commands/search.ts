/** Programs that search in files. */
import { literalArg, noteRead } from "../args.ts";
import type { Rule, Table } from "../call.ts";
import { each } from "../call.ts";
import { judgeBySpec, parseOptions } from "../options.ts";
import { judgeFind } from "./find.ts";

const ripgrep =
  "-# -A= -B= -C= -E= -F -H -I -L -M= -N -P -S -T= -U -V -a -b -c -d= -e=^ -f=<^ -g= -h -i -j= -l -m= -n -o -p -q -r= -s -t= -u -v -w -x -0 -. --after-context= --auto-hybrid-regex --before-context= --binary --block-buffered --byte-offset --case-sensitive --color= --colors= --column --context= --context-separator= --count --count-matches --crlf --debug --dfa-size-limit= --encoding= --engine= --field-context-separator= --field-match-separator= --file=<^ --files --files-with-matches --files-without-match --fixed-strings --follow --generate= --glob= --glob-case-insensitive --heading --help --hidden --hyperlink-format= --iglob= --ignore-case --ignore-file=< --ignore-file-case-insensitive --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --mmap --multiline --multiline-dotall --no-auto-hybrid-regex --no-binary --no-block-buffered --no-config --no-column --no-context-separator --no-crlf --no-encoding --no-filename --no-fixed-strings --no-follow --no-glob-case-insensitive --no-heading --no-hidden --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-invert-match --no-json --no-line-buffered --no-line-number --no-max-columns-preview --no-messages --no-mmap --no-multiline --no-multiline-dotall --no-one-file-system --no-pcre2 --no-pre --no-require-git --no-search-zip --no-stats --no-text --no-trim --no-unicode --null --null-data --one-file-system --only-matching --passthru --passthrough --path-separator= --pcre2 --pcre2-version --pretty --quiet --regex-size-limit= --regexp=^ --replace= --require-git --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trace --trim --type= --type-add= --type-clear= --type-list --type-not= --unicode --unrestricted --version --vimgrep --with-filename --word-regexp -z! --search-zip! --pre! --hostname-bin! --pre-glob= | data in*";

const fd =
  "-H -I -u -s -i -g -F -a -l -L -p -0 -1 -q -h -V -d= -t= -e= -E= -S= -c= -j= -o= -C= --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --and= --absolute-path --list-details --follow --full-path --print0 --max-depth= --min-depth= --exact-depth= --exclude= --prune --type= --extension= --size= --changed-within= --changed-before= --owner= --format= --color= --threads= --max-results= --quiet --show-errors --base-directory= --path-separator= --search-path= --strip-cwd-prefix? --one-file-system --version --help | data in*";

const grepOptions =
  "~ * -# -r -R --recursive --dereference-recursive --directories= -e=^ -f=<^ -A= -B= -C= -m= -d= -D= --regexp=^ --file=<^ --include= --exclude= --exclude-dir= --exclude-from=< --context= --after-context= --before-context= --max-count= --binary-files= --label= | data in*";

/** Below the directory, when it is to search below folders and none is named. */
const grep: Rule = (call) => {
  const refusal = judgeBySpec(call, grepOptions);
  const parsed = parseOptions(call, grepOptions);
  if (refusal !== null || "judgement" in parsed) return refusal;
  const descends = parsed.given.some(([name]) => /^(-[rRd]|--(dereference-)?recursive|--directories)$/.test(name));
  const patterns = parsed.replaced ? 0 : 1;
  if (descends && parsed.operands.length <= patterns) noteRead(literalArg(".", call.span), call.walk);
  return null;
};

export const search: Table = {
  ...each("grep egrep fgrep rgrep ggrep", grep),
  rg: ripgrep,
  ...each("fd fdfind", `~ ${fd}`),
  ag: "~ -# -i -s -S -w -Q -v -l -L -c -o -n -u -a -t -f -g= -G= -A= -B= -C= -m= --hidden --ignore= --ignore-case --literal --files-with-matches --files-without-matches --count --nocolor --color --nogroup --group --column --numbers --nonumbers --depth= --silent --stats --vimgrep --nopager | data in*",
  ...each("find gfind", judgeFind),
  ...each(
    "locate plocate mlocate",
    "~ -i -c -l= -n= -b -e -r -S -q -0 --ignore-case --count --limit= --basename --existing --regex --statistics | data*",
  ),
  ...each("which whereis", "~ * | data*"),
  ...each("ctags", "--version --list-languages --list-kinds?"),
  ...each("whatis apropos", "~ | data*"),
};
