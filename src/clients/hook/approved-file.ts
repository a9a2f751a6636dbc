/** A client that reads the plan from a file finds the approved bytes there before it is told (B11.5). */
import { replaceFile } from "../../agent/host/files/replace-file.ts";
import { errorText } from "../../core/error-text.ts";
import type { Client } from "../client.ts";

/** The agent's own file holds them too. What speaks against the approval; null where nothing does. */
export async function layDown(
  plan: string,
  planFile: string | null,
  { approvedFile }: Pick<Client, "approvedFile">,
): Promise<string | null> {
  if (approvedFile === undefined) return null;
  if (planFile === null) return "it is not known where its plan lies";
  try {
    for (const path of [approvedFile(planFile, plan), planFile]) await replaceFile(path, plan);
    return null;
  } catch (error) {
    return `the approved plan could not be written (${errorText(error)})`;
  }
}
