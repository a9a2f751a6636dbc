/** News of a team in words, for people. */
import type { TeamNews } from "../../agent/ports/handle.ts";
import { makeVisible } from "../../core/wire/visible.ts";

export function newsText(news: TeamNews): string {
  return makeVisible(wordsOf(news));
}

function wordsOf(news: TeamNews): string {
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
