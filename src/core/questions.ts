/** Questions that the model asks the person, and what they answered. */

export interface UserQuestion {
  readonly question: string;
  readonly header: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiSelect: boolean;
}

/** Questions of one call, open until the first answer. */
export interface OpenQuestions {
  readonly id: string;
  readonly questions: readonly UserQuestion[];
}

/** B8.5: never an answer that nobody gave. Keys of `answers` are the questions' texts. */
export type QuestionAnswer =
  | { readonly status: "answered"; readonly answers: Readonly<Record<string, string>>; readonly notes?: string }
  | { readonly status: "declined" | "dismissed" | "not-shown" };
