/** `find`: tests and printing actions, and the commands that -exec runs. */
import type { Arg } from "../args.ts";
import { noteRead, valuesOf } from "../args.ts";
import type { ShellCall, Rule } from "../call.ts";
import { show } from "../options.ts";
import type { ShellRefusal } from "../walk.ts";
import { fork, unproven, writes } from "../walk.ts";

const alone = new Set(
  "-empty -readable -writable -executable -nouser -nogroup -true -false -print -print0 -ls -prune -quit -depth -d -mount -xdev -daystart -follow -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -o -or -a -and -not -help --help -version --version ! ( ) ,".split(
    " ",
  ),
);
const valued = new Set(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -user -group -uid -gid -perm -links -inum -samefile -maxdepth -mindepth -fstype -lname -ilname -context -used -printf -newermt -newerat -newerct -newermm -newerma -newermc -newerBt".split(
    " ",
  ),
);

export const judgeFind: Rule = (call) => {
  const { args } = call;
  let at = 0;
  while (/^-([HLP]|O\d)$/.test(args[at]?.text ?? "")) at += 1;
  const roots: Arg[] = [];
  for (; at < args.length && !startsExpression(args[at]!); at += 1) {
    const root = args[at]!;
    if (root.mayBeOption)
      return unproven("find: a starting point that is known only at run time may be an action", root.span);
    noteRead(root, call.walk);
    roots.push(root);
  }
  return judgeExpression(call, at);
};

function startsExpression({ text }: Arg): boolean {
  return text !== null && /^(-.|[!(),])/.test(text);
}

function judgeExpression(call: ShellCall, from: number): ShellRefusal | null {
  const { args } = call;
  for (let at = from; at < args.length; at += 1) {
    const arg = args[at]!;
    const { text } = arg;
    if (text !== null && alone.has(text)) continue;
    if (text !== null && valued.has(text)) {
      at += 1;
      const value = args[at];
      if (value?.many === true && (value.mayBeOption || !/^\w/.test(value.head)))
        return unproven(`find ${text}: the value may become several words`, value.span);
      continue;
    }
    if (text !== null && /^-(delete|fprint0?|fprintf|fls)$/.test(text))
      return writes(`find ${text} changes files`, arg.span);
    if (text !== "-exec" && text !== "-execdir")
      return unproven(`find: ${show(arg)} is not known to only read`, arg.span);
    const end = args.findIndex(
      ({ text: word }, index) => index > at && (word === ";" || (word === "+" && args[index - 1]!.text === "{}")),
    );
    if (end === -1) return unproven(`find ${text} has no end`, arg.span);
    const words = args.slice(at + 1, end);
    const ending = words.find((word) => mayEnd(word));
    if (ending !== undefined) return unproven(`find ${text}: a word may end the command early`, ending.span);
    const several = args[end]!.text === "+";
    const refusal = judgeAction(
      call,
      words.map((word) => withFound(word, { several })),
      text,
    );
    if (refusal !== null) return refusal;
    at = end;
  }
  return null;
}

/** `;`, or the `{}` before a `+`: what follows would be read by find itself. */
function mayEnd(word: Arg): boolean {
  const values = valuesOf(word);
  if (values !== null) return word.text === null && values.some((value) => value === ";" || value === "{}");
  return word.many || (word.shape === null && ["", "{"].includes(word.head));
}

function judgeAction(call: ShellCall, words: readonly Arg[], action: string): ShellRefusal | null {
  const inner = fork(call.walk);
  if (action === "-execdir") inner.place = { paths: null, sameRepository: false };
  const refusal = call.judge(words, inner);
  return refusal === null ? null : { judgement: refusal.judgement, reason: refusal.reason, span: refusal.span ?? null };
}

/** A found path begins with its starting point, so it is never an option; `;` gives one at a time. */
function withFound(word: Arg, { several }: { several: boolean }): Arg {
  const at = word.text?.indexOf("{}") ?? -1;
  if (word.text === null || at === -1) return word;
  const head = word.text.slice(0, at);
  return {
    ...word,
    text: null,
    shape: null,
    head,
    mayBeOption: head.startsWith("-"),
    many: several && word.text === "{}",
  };
}
