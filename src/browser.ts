/** Review in the browser: a person that answers from a page on loopback, its server, and desks for plans outside of a session. */
export { loadAssets, type Asset, type Assets } from "./faces/browser/server/assets.ts";
export type { Decided } from "./faces/browser/desks/decided.ts";
export type { ReviewDesk, Taken, WaitingDesk } from "./faces/browser/desks/desk.ts";
export { sayPlanWords, type PlanWords } from "./agent/answers/plan-words.ts";
export type { LiveOptions } from "./faces/browser/desks/live.ts";
export { looseDesk, type LooseOptions } from "./faces/browser/desks/loose-file.ts";
export { openBrowser } from "./faces/browser/server/open.ts";
export { otherProcessDesk } from "./faces/browser/desks/other-process.ts";
export type { OtherProcessOptions } from "./faces/browser/desks/other-session.ts";
export { browserReview, type BrowserReview, type BrowserReviewOptions } from "./faces/browser/desks/review.ts";
export { startServer, type ReviewServer, type ServerOptions } from "./faces/browser/server/server.ts";
export { reviewState, type Shown } from "./faces/browser/desks/review-state.ts";
export type {
  Accepted,
  CommentsBody,
  PageEvent,
  Problem,
  Refused,
  ReviewState,
  VerdictBody,
} from "./faces/browser/desks/wire.ts";
