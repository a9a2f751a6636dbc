/** Approval races: whatever the order of clicks, changes and crashes, only shown bytes are approved, once. */
import { expect, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import { effective, playStory, type Story } from "./race.ts";

const stories = Number(process.env["GROUNDPLAN_RACES"] ?? 60);
const first = Number(process.env["GROUNDPLAN_RACE_SEED"] ?? 1);

test("B2.1 B2.2 B2.6 B2.7 in random interleavings of tabs, terminal, disk, modes and crashes never anything but shown bytes is approved", async () => {
  const counts = { approved: 0, sentBack: 0, refused: 0, accepted: 0, kept: 0 };
  for (let seed = first; seed < first + stories; seed += 1) {
    const story = await playStory(seed);
    const problems = problemsOf(story);
    expect(problems, `seed ${seed}: ${JSON.stringify(story.actions, null, 1)}`).toEqual([]);
    for (const { text } of effective(story.session)) counts[text === null ? "sentBack" : "approved"] += 1;
    const marks = new Set(effective(story.session).map(({ mark }) => mark));
    for (const { accepted, surface, mark } of story.clicks) {
      if (surface === "kept" && marks.has(mark)) counts.kept += 1;
      if (accepted !== null) counts[accepted ? "accepted" : "refused"] += 1;
    }
  }
  expect(Object.entries(counts).filter(([, count]) => count < stories / 20)).toEqual([]);
  if (process.env["GROUNDPLAN_RACES"] !== undefined) console.info(counts);
});

function problemsOf(story: Story): readonly string[] {
  const { clicks, log, session, approvedTexts } = story;
  const problems: string[] = [];
  const counted = effective(session);
  const byMark = new Map(clicks.map((click) => [click.mark, click]));

  for (const { mark, text } of counted) {
    const click = byMark.get(mark);
    if (click === undefined) problems.push(`${mark} counted, but nobody clicked it`);
    else if (text !== null && hashText(text) !== click.hash)
      problems.push(`${mark} approved ${text}, which was not shown`);
  }
  const approvals = counted.flatMap(({ text }) => (text === null ? [] : [text]));
  for (const text of approvedTexts)
    if (!approvals.includes(text)) problems.push(`the model heard that ${text} was approved`);

  const decisions = session.plans.flatMap((record) => record.decisions);
  const recorded = decisions.filter(({ kind }) => kind === "approve").map(({ hash }) => hash);
  if (JSON.stringify(recorded) !== JSON.stringify(approvals.map((text) => hashText(text)))) {
    problems.push(`the record has ${JSON.stringify(recorded)} for ${JSON.stringify(approvals)}`);
  }
  for (const { by, kind, hash } of decisions) {
    const isShown = clicks.some((click) => click.surface === by.surface && click.kind === kind && click.hash === hash);
    if (kind === "approve" && !isShown) problems.push(`${kind} of ${hash} by ${by.surface} was never clicked`);
  }

  const unconfirmed = new Set(
    log.flatMap((event, at) => {
      if (event.type !== "review-decided" || event.verdict.kind !== "approve") return [];
      const read = log.slice(at).find(({ type }) => type === "plan-read");
      const isHeld = read?.type === "plan-read" && read.text !== null && hashText(read.text) === event.verdict.hash;
      return isHeld ? [] : [event.verdict.notes ?? ""];
    }),
  );
  for (const { mark } of counted)
    if (unconfirmed.has(mark)) problems.push(`${mark} counted, although the file held other bytes`);

  const answers = new Map<string, number>();
  for (const event of log) {
    if (event.type === "review-decided") answers.set(event.requestId, (answers.get(event.requestId) ?? 0) + 1);
  }
  for (const [id, count] of answers) if (count > 1) problems.push(`${id} was answered ${count} times`);

  const marks = new Set(counted.map(({ mark }) => mark));
  for (const { mark, kind, accepted, surface } of clicks) {
    if (surface !== "browser" || accepted === null || (kind !== "approve" && kind !== "revise")) continue;
    if (accepted !== marks.has(mark))
      problems.push(`${mark} was ${accepted ? "accepted" : "refused"}, and the session says otherwise`);
  }
  return problems;
}
