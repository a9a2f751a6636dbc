/** What auto mode's rules say of a command, from its parts as the shell guard wrote them: comments and praise are gone by then. */
import { posix } from "node:path";
import type { CommandAccess, Subject } from "../../core/decide/access.ts";
import { commandWords, isRecursive, type CommandWords } from "./command-words.ts";
import { allow, ask, deny, open, strictest, type Finding } from "./finding.ts";
import { isWholeTree, judgeMentions, judgeTouched, type Ground } from "./touched-paths.ts";

export function judgeCommand(access: CommandAccess, subjects: readonly Subject[], ground: Ground): Finding {
  if (access.command.length > longest) return ask("the command is too long to be judged");
  const own = subjects.filter(({ parts }) => parts !== undefined);
  const parts = own.flatMap(({ parts: some = [] }) => some).flatMap(withInner);
  const least = access.files === "project" ? allow("it only changes files of the project") : open(access.reason);
  const findings = [
    ...(parts.length === 0 ? [ask("the command cannot be taken apart")] : []),
    ...(own.some(({ opaque }) => opaque === true) ? [ask("a part of the command is known only when it runs")] : []),
    ...(access.files === "elsewhere" || access.files === "guarded"
      ? [ask("it changes files outside of the project")]
      : []),
    ...parts.flatMap((part) => judgePart(part, access.directory, ground)),
    ...fetchedPrograms(parts),
    ...judgeMentions(access.command),
  ];
  return strictest(findings, least);
}

/** Longer ones the system does not start. */
const longest = 128 * 1024;

/** What another program of the same rights runs is judged as if it stood alone. */
function withInner(part: string): readonly CommandWords[] {
  const outer = commandWords(part);
  if (!elevators.has(outer.program)) return [outer];
  const inner = outer.words.findIndex((word) => !word.startsWith("-"));
  return inner === -1
    ? [outer]
    : [outer, { ...outer, program: outer.words[inner]!, words: outer.words.slice(inner + 1) }];
}

function judgePart(part: CommandWords, directory: string, ground: Ground): readonly Finding[] {
  const { program, words, redirects } = part;
  const findings: Finding[] = [];
  if (elevators.has(program)) findings.push(ask(`${program} runs with other rights`));
  if (ruinous.test(program)) findings.push(deny(`${program} destroys what cannot be had back`));
  if (program === "dd" && words.some((word) => word.startsWith("of=/dev/")))
    findings.push(deny("dd writes to a device"));
  if (redirects.some((path) => /^\/dev\/(sd|nvme|hd|vd|disk|mapper)/.test(path)))
    findings.push(deny("it writes to a device"));
  if (isTreeChange(part) && words.some((word) => isWhole(word, directory, ground))) {
    findings.push(deny(`${program} would take the whole project, the home folder or more`));
  }
  if (program === "rm" && isRecursive(part)) findings.push(open("rm removes whole folders"));
  if (steering.has(program) && words.some((word) => /[$`{]/.test(word))) {
    findings.push(ask(`what ${program} works on is known only when it runs`));
  }
  if (program === "find" && words.includes("-delete")) findings.push(ask("find -delete removes whatever it finds"));
  if (losing.has(program)) findings.push(ask(`${program} ends or removes what may be in use`));
  if (sending.has(program) && !isLocal(part)) findings.push(ask(`${program} connects to another machine`));
  const risky = subcommands.filter(([programs]) => programs.test(program));
  for (const text of subcommandTexts(words)) {
    const found = risky.find(([, pattern]) => pattern.test(text));
    if (found !== undefined) findings.push(ask(`${program} ${text.split(" ")[0]} ${found[2]}`));
  }
  const paths = [...redirects, ...words.flatMap(pathsIn)].map((word) => absolute(word, directory, ground));
  return [...findings, ...paths.flatMap((path) => (path === null ? [] : judgeTouched(path, ground)))];
}

/** A program that another machine sends is run unseen. */
function fetchedPrograms(parts: readonly CommandWords[]): readonly Finding[] {
  if (!parts.some(({ program }) => fetchers.has(program))) return [];
  return parts.some(isFed) ? [deny("it runs what another machine sends")] : [];
}

function isFed({ program, words }: CommandWords): boolean {
  if (!interpreters.test(program)) return false;
  return words.every((word) => word.startsWith("-")) || words.some((word) => /[$<]\(|`/.test(word));
}

/** Asks this machine alone, by plain addresses. */
function isLocal({ program, words }: CommandWords): boolean {
  if (program !== "curl" && program !== "wget") return false;
  const named = words.filter((word) => !word.startsWith("-"));
  const isPlain = words.every((word) => !word.startsWith("-") || /^-[sSfLivIk]+$/.test(word));
  return isPlain && named.length > 0 && named.every((word) => localAddress.test(word));
}

/** From the sub-command on; behind leading options, whose values look like one, from each of the first words. */
function subcommandTexts(words: readonly string[]): readonly string[] {
  const starts = words.flatMap((word, index) => (word.startsWith("-") ? [] : [index]));
  const likely = starts.slice(0, words[0]?.startsWith("-") === true ? 3 : 1);
  return likely.map((index) => words.slice(index).join(" "));
}

function isTreeChange(part: CommandWords): boolean {
  if (part.program === "mv" || part.program === "shred") return true;
  return part.program === "rm" && isRecursive(part);
}

function isWhole(word: string, directory: string, ground: Ground): boolean {
  const plain = word.replace(/(^|\/)\*+$/, "$1");
  if (/^\$(HOME|PWD|\{HOME\}|\{PWD\})\/?$/.test(plain)) return true;
  const path = absolute(plain === "" ? (word.startsWith("/") ? "/" : ".") : plain, directory, ground);
  return path !== null && !word.startsWith("-") && isWholeTree(path, ground);
}

/** The arguments that look like a path; what is made at run time cannot be seen and is not one. */
function pathsIn(word: string): readonly string[] {
  const value = /^-[^=]*=(.*)$/s.exec(word)?.[1] ?? word.replace(/^-[A-Za-z](?=\/)/, "");
  if (/^\w+:\/\//.test(value) || value.startsWith("-")) return [];
  return /^(\/|~|\.{1,2}(\/|$))|\/\.\.(\/|$)|(^|\/)\.[\w.-]+$/.test(value) ? [value] : [];
}

function absolute(word: string, directory: string, { home }: Ground): string | null {
  if (/[$`]/.test(word)) return null;
  if (word === "~" || word.startsWith("~/")) return posix.normalize(home + word.slice(1)).replace(/(.)\/$/, "$1");
  return posix.resolve(directory, word);
}

const elevators = new Set(["sudo", "doas", "su", "pkexec", "runuser"]);
const ruinous = /^(mkfs(\..+)?|wipefs|fdisk|parted|shutdown|reboot|halt|poweroff|init|telinit)$/;
const localAddress = /^(https?:\/\/)?(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/[\w./?=&%-]*)?$/;
const steering = new Set(["rm", "mv", "cd", "pushd", "ln"]);
const losing = new Set("kill pkill killall crontab systemctl launchctl service shred truncate at".split(" "));
const fetchers = new Set(["curl", "wget", "fetch", "http", "https", "aria2c", "nc", "ncat"]);
const remote = "ssh scp sftp rsync ftp telnet socat mail sendmail gh glab aws gcloud az kubectl helm terraform";
const sending = new Set([...fetchers, ...remote.split(" ")]);
const interpreters = /^(sh|bash|zsh|dash|ksh|fish|eval|source|\.|python[\d.]*|node|deno|bun|ruby|perl|php)$/;
const subcommands: readonly (readonly [programs: RegExp, pattern: RegExp, what: string])[] = [
  [/^git$/, /^push\b/, "sends the work away"],
  [
    /^git$/,
    /^(reset\b.*--(hard|merge|keep)|clean\b|restore\b|checkout\b.* (--|-f|\.)( |$)|stash (drop|clear)|filter-\S+|gc\b.*--prune|reflog\b.*(expire|delete)|update-ref\b)/,
    "can lose work",
  ],
  [/^git$/, /^(branch|tag)\b.* (-D|-d|--delete)( |$)/, "removes names of work"],
  [/^git$/, /^(config|remote|submodule|worktree)\b/, "changes how git works here"],
  [
    /^(npm|pnpm|yarn|cargo|gem|twine|poetry|docker|podman)$/,
    /^(publish|unpublish|push|login|logout|adduser|token|owner|upload|yank|deprecate|dist-tag)\b/,
    "reaches others",
  ],
  [/^(docker|podman)$/, /^(rm|rmi|system|volume|kill|stop|run|exec)\b/, "acts outside of the project"],
];
