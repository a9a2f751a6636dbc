/** A plan read as steps: its task list, else its numbered headings, else a numbered list; each with files and checks (B6.1). */
import { filesNamedIn } from "./outline.ts";

export interface PlanStep {
  readonly title: string;
  /** Ticked off in the text. */
  readonly done: boolean;
  readonly files: readonly string[];
  /** Commands that show whether it is done. */
  readonly verify: readonly string[];
}

export interface PlanChecks {
  readonly steps: readonly PlanStep[];
  /** Commands for the plan as a whole, those of its steps aside. */
  readonly commands: readonly string[];
  /** Files that are to change: what is named only to be read or reused is not among them. */
  readonly files: readonly string[];
}

export function stepsOf(text: string): readonly PlanStep[] {
  return blocksOf(linesOf(text)).map(({ title, done, lines }) => ({
    title: plain(title),
    done,
    files: filesNamedIn([title, ...changing(lines)].join("\n")),
    verify: verifyCommands(lines),
  }));
}

export function checksOf(text: string): PlanChecks {
  const lines = linesOf(text);
  const steps = stepsOf(text);
  const own = new Set(steps.flatMap(({ verify }) => verify));
  const commands = [...verifyCommands(lines), ...sectionCommands(lines)].filter((command) => !own.has(command));
  const files = filesNamedIn(changing(lines).join("\n"));
  return { steps, commands: [...new Set(commands)], files };
}

interface Line {
  readonly text: string;
  /** Inside a fenced block; its marks are not lines. */
  readonly fence: "shell" | "other" | null;
  readonly heading: { readonly level: number; readonly title: string } | null;
}

interface Block {
  readonly title: string;
  readonly done: boolean;
  readonly lines: readonly Line[];
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let fence: { readonly mark: string; readonly kind: "shell" | "other" } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [, mark, language = ""] = /^\s*(`{3,}|~{3,})\s*([\w-]*)/.exec(line) ?? [];
    if (mark !== undefined && fence === null) fence = { mark, kind: isShell(language) ? "shell" : "other" };
    else if (mark !== undefined && mark.startsWith(fence!.mark)) fence = null;
    else lines.push({ text: line, fence: fence?.kind ?? null, heading: fence === null ? headingOf(line) : null });
  }
  return lines;
}

function blocksOf(lines: readonly Line[]): readonly Block[] {
  const tasks = listBlocks(lines, /^(\s*)[-*+]\s+\[([ xX])\]\s+(.+)$/);
  if (tasks.length > 0) return tasks;
  const headings = headingBlocks(lines);
  if (headings.length > 0) return headings;
  const numbered = listBlocks(lines, /^(\s*)\d{1,3}([.)])\s+(.+)$/);
  return numbered.length > 1 ? numbered : [];
}

/** Items of the outermost list; what is further in, or follows without a new item, belongs to the one above. */
function listBlocks(lines: readonly Line[], item: RegExp): readonly Block[] {
  const items = lines.flatMap((line, at) => {
    const [, indent, mark, title] = (line.fence === null ? item.exec(line.text) : null) ?? [];
    return title === undefined ? [] : [{ at, indent: indent!.length, done: /x/i.test(mark!), title }];
  });
  const outermost = items.reduce((least, { indent }) => Math.min(least, indent), Infinity);
  const own = items.filter(({ indent }) => indent === outermost);
  return own.map(({ at, done, title }, index) => {
    const below = lines.slice(at + 1, own[index + 1]?.at);
    const heading = below.findIndex((line) => line.heading !== null);
    return { title, done, lines: heading === -1 ? below : below.slice(0, heading) };
  });
}

/** `## 1. Title`, `### Step 2: Title` */
function headingBlocks(lines: readonly Line[]): readonly Block[] {
  return lines.flatMap(({ heading }, at) => {
    const title = heading === null ? undefined : numberedTitle.exec(heading.title)?.[1];
    if (title === undefined) return [];
    let end = at + 1;
    while (end < lines.length && (lines[end]!.heading?.level ?? 9) > heading!.level) end += 1;
    return [{ title, done: false, lines: lines.slice(at + 1, end) }];
  });
}

const numberedTitle = /^(?:(?:step|phase|task)\s+)?\d{1,3}\s*(?:[.):]|[-–—])\s*(.+)$/i;

/** `Verify: \`npm test\``, or a block of shell lines below it. */
function verifyCommands(lines: readonly Line[]): readonly string[] {
  return lines.flatMap(({ text, fence }, at) => {
    if (fence !== null || !/^\W*verif(y|ied|ication)\b[^:`]{0,40}[:`]/i.test(text)) return [];
    const [, span] = /`([^`]+)`/.exec(text) ?? [];
    if (span !== undefined) return [span.trim()];
    const bare = /:\W{0,4}\s+(\S.*)$/.exec(text)?.[1];
    const below = shellLines(lines.slice(at + 1));
    return below.length > 0 || bare === undefined || !looksLikeCommand(bare) ? below : [bare.trim()];
  });
}

/** Everything to run in a section such as "Verification" or "How to test". */
function sectionCommands(lines: readonly Line[]): readonly string[] {
  return lines.flatMap(({ heading }, at) => {
    if (heading === null || !/\b(verif\w*|test(s|ing)?( plan)?|checks?)\b/i.test(heading.title)) return [];
    const end = lines.findIndex((line, position) => position > at && (line.heading?.level ?? 9) <= heading.level);
    const section = lines.slice(at + 1, end === -1 ? lines.length : end);
    return section.flatMap(({ text, fence }) => {
      if (fence === "shell") return shellLine(text);
      const span = fence === null ? commandLine.exec(text)?.[1] : undefined;
      return span !== undefined && looksLikeCommand(span) ? [span.trim()] : [];
    });
  });
}

/** A line that says to run something: at most a few words of that kind before the command. */
const commandLine =
  /^\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?(?:(?:run(?:ning)?|execute|check|try|start|use|with|by|via|then|and|first|finally|all|the|unit|tests?|suite|linter|lint|types?|build|command)\b[\s:,]*){0,6}`([^`]+)`/i;

/** The fenced block that comes next, if nothing but blank lines is before it. */
function shellLines(lines: readonly Line[]): readonly string[] {
  const first = lines.findIndex(({ text, fence }) => fence !== null || text.trim() !== "");
  if (first === -1 || lines[first]!.fence === null) return [];
  const end = lines.findIndex(({ fence }, at) => at > first && fence === null);
  return lines.slice(first, end === -1 ? lines.length : end).flatMap(({ text }) => shellLine(text));
}

function shellLine(text: string): readonly string[] {
  const command = text.replace(/^\s*[$>]\s+/, "").trim();
  return command === "" || command.startsWith("#") ? [] : [command];
}

/** A program with arguments, or one that needs none. */
function looksLikeCommand(span: string): boolean {
  const words = span.trim().split(/\s+/);
  const isProgram = /^[\w./@+-]+$/.test(words[0]!) && !/^(the|a|that|it|all|run)$/i.test(words[0]!);
  return (
    isProgram &&
    (words.length > 1 || /^(make|pytest|tox|ninja|ctest|rspec|mocha|jest|vitest|tsc|\.\/\S+)$/.test(words[0]!))
  );
}

/** Lines that say what changes: sections and lines on what is reused, read, checked, risked or left alone are not among them. */
function changing(lines: readonly Line[]): readonly string[] {
  let quiet = 9;
  return lines.flatMap(({ text, fence, heading }) => {
    if (heading !== null && heading.level <= quiet) quiet = still.test(heading.title) ? heading.level : 9;
    return quiet < 9 || fence !== null || stillLine.test(text) ? [] : [text];
  });
}

const still =
  /\b(reus(e|ed|ing)|look at|existing|context|background|why|references?|related|verif\w*|test(ing)? plan|how to test|questions?|risks?|alternatives?|out of scope|not? chang\w*|unchanged|notes?|critical files)\b/i;
const stillLine =
  /^\W*(verif(y|ied|ication)\b|reus(e|es|ing)\b|see\b|unchanged\b|do not (touch|change)\b|\d+ other files\b)|\b(to be reused|stays as it is|unchanged)\b/i;

function headingOf(line: string): Line["heading"] {
  const [, marks, title] = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line) ?? [];
  return title === undefined ? null : { level: marks!.length, title };
}

function isShell(language: string): boolean {
  return ["", "sh", "bash", "shell", "zsh", "console", "shell-session"].includes(language.toLowerCase());
}

/** As one line, without Markdown's marks of emphasis. */
function plain(title: string): string {
  return title
    .replace(/\*\*|__/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200);
}
