/** One line of `doctor`: a thing, whether it is there, and how to get it. */

export interface DoctorFinding {
  readonly name: string;
  readonly ok: boolean;
  /** What was found, in words; never a secret. */
  readonly detail: string;
  /** How to get it; null when it is there. */
  readonly advice: string | null;
}
