/** What can be read off a plan's Markdown: its title, headings and the files that it names. */

export function titleOf(text: string): string {
  const lines = outsideFences(text).map((line) => line.trim());
  const heading = lines.find((line) => /^#{1,6}\s+\S/.test(line));
  const title = heading?.replace(/^#+\s+/, "").replace(/\s+#+$/, "") ?? lines.find((line) => line !== "") ?? "";
  return title.replace(/^plan:\s*/i, "").slice(0, 120);
}

export function headingsOf(text: string): readonly string[] {
  return outsideFences(text).flatMap((line) => {
    const match = /^#{1,6}\s+(.*?)\s*#*$/.exec(line.trim());
    return match === null ? [] : [match[1]!];
  });
}

/** Headings of a template that the plan lacks, compared without case. */
export function missingHeadings(plan: string, template: string): readonly string[] {
  const present = new Set(headingsOf(plan).map((heading) => heading.toLowerCase()));
  return headingsOf(template).filter((heading) => !present.has(heading.toLowerCase()));
}

/** Relative or absolute paths named in code spans, list items or plain text; only what looks like a file. */
export function filesNamedIn(text: string): readonly string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
  const bare = [...text.replace(/`[^`\n]*`/g, " ").matchAll(/(?<![\w/.:-])\/?[\w@.-]+(?:\/[\w@.[\]-]+)+/g)].map(
    (match) => match[0],
  );
  const files = [...spans, ...bare].map(withoutLine).filter(isFileLike);
  return [...new Set(files)];
}

function withoutLine(span: string): string {
  return span
    .trim()
    .replace(/(:\d+(-\d+)?(:\d+)?|#L\d+(-L?\d+)?)$/, "")
    .replace(/^\.\//, "")
    .replace(/[.,;]$/, "");
}

function isFileLike(span: string): boolean {
  if (span === "" || /[\s*?<>|"'$(){}=,;]/.test(span) || span.includes("://") || span.startsWith("-")) return false;
  if (span.endsWith("/")) return false;
  const name = span.slice(span.lastIndexOf("/") + 1);
  return (
    /\.[A-Za-z][\w]{0,9}$/.test(name) ||
    (span.includes("/") && /^[A-Z][\w]*file$|^\.[\w.-]+$/.test(name)) ||
    /^(Makefile|Dockerfile|Gemfile|Rakefile|Procfile)$/.test(name)
  );
}

function outsideFences(text: string): readonly string[] {
  let fence: string | null = null;
  return text.split("\n").filter((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) return fence === null;
    if (fence === null) fence = mark;
    else if (mark.startsWith(fence)) fence = null;
    return false;
  });
}
