/** One line for each round of work and for the team's news, so that a person who waits sees what is done. */
import { basename } from "node:path";
import type { Happening, TeamNews } from "../../agent/ports/handle.ts";
import type { ShowCall } from "../../agent/tools/show.ts";
import { makeVisible } from "../../core/wire/visible.ts";

/** Null where there is nothing to tell. */
export function progressLine(happening: Happening, show: ShowCall): string | null {
  if (happening.kind !== "event" || happening.event.type !== "model-replied") return null;
  const { calls } = happening.event;
  const planFile = happening.session.plan.file;
  const readers = calls.flatMap(({ tool, input, access }) =>
    access?.kind === "read" ? [{ isSearch: show(tool, input).result === "matches", paths: access.paths }] : [],
  );
  const reads = readers.flatMap(({ isSearch, paths }) => (isSearch ? [] : paths)).filter((path) => path !== planFile);
  const parts = [
    ...(readers.some(({ isSearch }) => isSearch) ? ["searching"] : []),
    ...(reads.length === 0 ? [] : [`reading ${listOf(reads)}`]),
    ...(calls.some(({ access }) => access?.kind === "write" && access.path === planFile) ? ["writing the plan"] : []),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

const mostNames = 6;

function listOf(paths: readonly string[]): string {
  const names = paths.slice(0, mostNames).map((path) => basename(path).replace(/[\u0000-\u001f\u007f-\u009f]/g, "�"));
  return `${names.join(", ")}${paths.length > mostNames ? ` and ${paths.length - mostNames} more` : ""}`;
}

/** What is new in the team; null for anything else. */
export function newsLine(happening: Happening): string | null {
  return happening.kind === "team" ? makeVisible(teamWords(happening.news)) : null;
}

function teamWords(news: TeamNews): string {
  switch (news.type) {
    case "team.waiting": {
      const end = news.deadline === null ? "" : ` until ${new Date(news.deadline).toISOString().slice(0, 19)}Z`;
      return `The plan is with the team lead, ${news.id}. Waiting${end}.`;
    }
    case "team.escalated":
      return `The lead did not answer ${news.id} in time.`;
    case "team.expired":
      return `Nobody answered ${news.id}: nothing was approved.`;
    case "team.ignored":
      return `A message${news.from === "" ? "" : ` from ${news.from}`} does not count: ${news.reason}.`;
    case "team.connection":
      return news.state === "connected" ? `Connected to the team: ${news.detail}.` : `Team: ${news.detail}`;
    case "team.shutdown":
      return `The lead ended this session${news.reason === "" ? "" : `: ${news.reason}`}.`;
    case "team.taken":
      return `The plan was taken by ${news.by} and goes on in session ${news.into}; this session ends.`;
    case "team.request":
      return `A plan of ${news.from} waits for your answer: ${news.title} (${news.id}).`;
    case "team.answered":
      return `The plan of ${news.from} was ${news.approved ? "approved" : "sent back"} (${news.id}).`;
    case "team.left":
      return `The plan of ${news.from} still waits: groundplan team approve or reject ${news.id}.`;
    case "team.closed":
      return `${news.id} needs no answer any more: ${news.why}.`;
  }
}
