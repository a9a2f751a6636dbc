/** The tag of reminders: put around our own words, taken out of everybody else's. */
import type { Prompts } from "../index.ts";

/** Meta text from the program; nothing inside can end it early. */
export function remind(prompts: Prompts, body: string): string {
  return prompts("reminders/reminder", { body: withoutReminderTags(body) });
}

/** Text of a person, a file or a model can neither close a reminder nor pose as one. */
export function withoutReminderTags(text: string): string {
  return text.replace(reminderTag, "&lt;");
}

const reminderTag = /<(?=[\s/\p{Cf}]*system-reminder)/giu;
