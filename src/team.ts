/** Teams: teammates whose plans a lead approves, over files on one machine or NATS across machines. */
export { attachLead, type Lead } from "./program/team/lead.ts";
export type { LeadOptions } from "./program/team/lead-review.ts";
export {
  defaultTeam,
  MailboxError,
  nameProblem,
  teamLead,
  type Address,
  type Connection,
  type ConnectionState,
  type Keeping,
  type Letter,
  type Mailbox,
  type PlanKey,
  type PlanSnapshot,
  type PlanSnapshots,
  type ReceiveOptions,
  type Receiving,
  type Sending,
  type SendOptions,
  type Take,
  type TeamMessage,
} from "./mail/mailbox.ts";
export { createFileMailbox, type FileMailboxOptions } from "./mail/files/mailbox.ts";
export { createNatsMailbox, type NatsMailboxOptions } from "./mail/nats/mailbox.ts";
export {
  readLetter,
  type LetterBody as Message,
  type PlanApprovalRequest,
  type PlanApprovalResponse,
  type Reading,
} from "./program/team/messages.ts";
export { sealMailbox, type SealOptions, type TakenMemory } from "./mail/mailbox-sealed.ts";
export { openMailbox, type OpenMailboxOptions } from "./mail/open-mailbox.ts";
export {
  answerPlan,
  lookAtInbox,
  tidyInbox,
  type AnswerFacts,
  type Answering,
  type LeadDecision as Decision,
  type Inbox,
  type PendingPlan,
} from "./program/team/requests.ts";
export { readMembers, type Member, type MemberStatus } from "./program/team/roster.ts";
export type { TeammateOptions } from "./program/team/hear-lead.ts";
export { createTeammate, type Teammate } from "./program/team/teammate.ts";
