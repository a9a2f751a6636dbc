/** Review in the browser: a person that answers from a page on loopback, its server, and desks for plans outside of a session. */
export { loadAssets, type Asset, type Assets } from "./faces/browser/assets.ts";
export type { Decided } from "./faces/browser/decided.ts";
export type { ReviewDesk, Taken } from "./faces/browser/desk.ts";
export { sayPlanWords, type PlanWords } from "./agent/plan-words.ts";
export type { LiveOptions } from "./faces/browser/live.ts";
export { looseDesk, type LooseOptions, type WaitingDesk } from "./faces/browser/loose-file.ts";
export { openBrowser } from "./faces/browser/open.ts";
export { otherProcessDesk, type OtherProcessOptions } from "./faces/browser/other-process.ts";
export { browserReview, type BrowserReview, type BrowserReviewOptions } from "./faces/browser/review.ts";
export { startServer, type ReviewServer, type ServerOptions } from "./faces/browser/server.ts";
export { reviewState, type Shown } from "./faces/browser/state.ts";
export type {
  Accepted,
  CommentsBody,
  PageEvent,
  Problem,
  Refused,
  ReviewState,
  VerdictBody,
} from "./faces/browser/wire.ts";
