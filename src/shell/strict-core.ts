/** The commands that are believed where no cage stands below the guard (B1.11): one plain reader with literal arguments. */
import { parse } from "unbash";
import type { ShellVerdict } from "./types.ts";

/** Programs without configuration files, sub-languages or helpers of their own. */
const plainReaders: ReadonlySet<string> = new Set(
  (
    "basename cat cksum cmp comm cut df dirname du echo egrep expand false fgrep fold grep groups head id join ls " +
    "md5sum nl nproc od paste printenv pwd readlink realpath rev seq sha1sum sha256sum sha512sum stat strings sum tac " +
    "tail tr true tty uname uniq uptime wc whoami"
  ).split(" "),
);

/** A word that the shell hands on as it stands: bare, in single quotes, or in double quotes without an expansion. */
const literalWord = /^(?:[\w./:=@%+,^-]+|'[^']*'|"[^"$`\\!]*")+$/;

/** The verdict where there is no cage: a proof counts only for the strict core, everything else is unproven. */
export function withoutCage(command: string, judged: ShellVerdict): ShellVerdict {
  const believed = {
    ...judged,
    proved: judged.proved.filter((part) => isInStrictCore(part) || /^cd [\w./-]+$/.test(part)),
  };
  if (judged.verdict !== "read-only" || isInStrictCore(command)) return believed;
  return { ...believed, verdict: "unproven", span: null, network: false, reason };
}

function isInStrictCore(command: string): boolean {
  const { commands, errors = [] } = parse(command);
  const [only, ...more] = commands;
  if (errors.length > 0 || only === undefined || more.length > 0 || only.background === true) return false;
  const simple = only.command;
  if (simple.type !== "Command" || simple.name === undefined) return false;
  if (simple.prefix.length > 0 || simple.redirects.length > 0) return false;
  const isLiteral = simple.args.every((item) => item.type === "Word" && literalWord.test(item.text));
  return plainReaders.has(simple.name.text) && isLiteral;
}

const reason = "without a sandbox only a single plain reader with literal arguments is believed";
