/** News of the team in one line each. */
import type { TeamNews } from "../../../agent/ports/handle.ts";

export function teamText(news: TeamNews): string {
  switch (news.type) {
    case "team.waiting":
      return "the plan is with the team's lead; waiting for an answer";
    case "team.escalated":
      return "the lead did not answer in time; you are asked";
    case "team.expired":
      return "nobody answered in time; nothing was approved";
    case "team.ignored":
      return `a message of ${news.from} does not count: ${news.reason}`;
    case "team.connection":
      return `team: ${news.state}${news.detail === "" ? "" : ` (${news.detail})`}`;
    case "team.shutdown":
      return `${news.from} ended this session: ${news.reason}`;
    case "team.taken":
      return `${news.by} took the plan; it goes on in session ${news.into}`;
    case "team.request":
      return `${news.from} sends a plan: ${news.title}`;
    case "team.answered": {
      const mode = news.mode === null ? "" : ` → ${news.mode}`;
      return `plan of ${news.from} ${news.approved ? `approved${mode}` : "sent back"} · ${news.title}`;
    }
    case "team.left":
      return `the plan of ${news.from} still waits: groundplan team show ${news.from.split("@")[0]}, then approve or reject`;
    case "team.closed":
      return `a teammate's plan is closed: ${news.why}`;
  }
}
