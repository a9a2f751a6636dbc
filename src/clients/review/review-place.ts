/** Where a plan of another agent is answered, as the settings in force say at this moment. */
import { settingsAt, type SettingsPlace } from "../guard/settings-at.ts";
import type { ReviewPlace } from "../../core/settings/settings.ts";

export async function reviewPlaceOf(place: SettingsPlace): Promise<ReviewPlace | { readonly problem: string }> {
  const found = await settingsAt(place);
  return "problem" in found ? found : found.settings.review;
}
