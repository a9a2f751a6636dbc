/** Whether there is anything in a plan. */

/** A plan exists when it holds a non-blank character. */
export function isBlank(text: string | null): boolean {
  return text === null || !/[^\s\p{Default_Ignorable_Code_Point}\p{Cc}]/u.test(text);
}
