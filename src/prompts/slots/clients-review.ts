/** Prompts of the review of other agents' plans. */

export const clientsReviewSlots = {
  "clients-review/presented": ["agent"],
  "clients-review/revise": ["feedback"],
  "clients-review/revise-questions": ["feedback"],
  "clients-review/revise-notes": ["feedback"],
  "clients-review/revise-silent": [],
  "clients-review/missing-headings": ["missing"],
  "clients-review/edited": ["difference"],
  "clients-review/edited-whole": ["file"],
  "clients-review/rest": ["file"],
  "clients-review/empty": [],
  "clients-review/too-long": ["limit"],
  "clients-review/not-text": [],
  "clients-review/off": [],
  "clients-review/answered-there": ["agent"],
  "clients-review/taken-back": [],
  "clients-review/time-over": [],
  "clients-review/not-asked": [],
  "clients-review/no-page": ["problem"],
} as const;
