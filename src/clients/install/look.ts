/** An installed entry, looked at as the client does: whether the file counts, what the entry answers, whether the version is known. */
import { findNodeAtLocation } from "jsonc-parser";
import type { ClientName } from "../client.ts";
import { clientNamed } from "../table.ts";
import { readClientFile } from "./client-file.ts";
import { missingEvents, oursIn } from "./hooks-text.ts";
import { readTree } from "./json-insert.ts";
import { placeOf, type PersonalHome } from "./places.ts";
import { policyProblem } from "./policy-file.ts";
import { provePlugin } from "./prove-plugin.ts";
import { proveEntry, type Proof } from "./prove.ts";
import { switchedOff } from "./switched-off.ts";
import { trustProblem } from "./trust.ts";
import { findClient } from "./versions.ts";

export interface EntryLook {
  /** Why it does not guard, a sentence each. */
  readonly problems: readonly string[];
  /** What the person should know beside that. */
  readonly notes: readonly string[];
  readonly proofs: readonly Proof[];
}

export interface Looked {
  readonly agent: ClientName;
  /** With our entries. */
  readonly file: string;
  readonly person: PersonalHome;
  /** Where one is. */
  readonly directory: string;
}

export async function lookAt(looked: Looked): Promise<EntryLook> {
  const { agent, file, person } = looked;
  const notes = await versionNotes(agent, looked);
  const found = await readClientFile(file);
  if ("problem" in found) return { problems: [found.problem], notes, proofs: [] };
  const { text } = found;
  const proofs = text === null ? [] : await proofsOf(looked, text);
  if (text === null || proofs.length === 0) return { problems: [`${file} has no entry of ours.`], notes, proofs: [] };
  const place = placeOf(agent);
  const trust = agent === "codex" ? trustProblem({ file, text, person }) : null;
  const policy = agent === "gemini" ? policyProblem(person) : null;
  const missing = agent === "opencode" ? [] : missingEvents(text, agent);
  const problems = [
    ...(place.allowsComments || isStrictJson(text) ? [] : [commentsProblem(place.title, file)]),
    ...proofs.filter(({ wanted, seen }) => wanted !== seen).map(proofProblem),
    ...(missing.length === 0 ? [] : [missingProblem(agent, missing)]),
    ...(policy === null ? [] : [policy]),
    ...(trust === null ? [] : [trust]),
    ...switchedOff({ agent, person, root: looked.directory }),
  ];
  return { problems, notes, proofs };
}

async function proofsOf({ agent, file, person: { environment } }: Looked, text: string): Promise<readonly Proof[]> {
  if (agent === "opencode") return provePlugin({ file, environment });
  const proofs: Proof[] = [];
  for (const command of new Set(guardCommandsIn(text, agent)))
    proofs.push(...(await proveEntry({ agent, command, environment })));
  return proofs;
}

/** The commands of the entries that judge tools. */
function guardCommandsIn(text: string, agent: ClientName): readonly string[] {
  const tree = readTree(text);
  if (tree === null) return [];
  return oursIn(tree, agent)
    .map((handler) => String(findNodeAtLocation(handler, ["command"])!.value))
    .filter((command) => / hook \w+ (PreToolUse|BeforeTool)( review)?;/.test(command));
}

async function versionNotes(
  agent: ClientName,
  { person, directory }: Pick<Looked, "person" | "directory">,
): Promise<readonly string[]> {
  const { program, title } = placeOf(agent);
  const client = await findClient({ program, environment: person.environment, directory });
  const known = clientNamed(agent)?.versions ?? [];
  if (client === null) return [`${program} is not on PATH.`];
  if (client.version === null) return [`${client.program} does not say its version; tried with ${known.join(", ")}.`];
  if (known.includes(client.version)) return [`${title} ${client.version} is a version that was tried.`];
  return [`${title} ${client.version} was not tried; ${known.join(", ")} was.`];
}

function commentsProblem(title: string, file: string): string {
  return `${file} has comments or commas too many: ${title} ignores the whole file, our entries too. Make it plain JSON.`;
}

function missingProblem(agent: ClientName, events: readonly string[]): string {
  return `Entries of ours are not there any more, or not for every tool (${events.join(", ")}): groundplan install ${agent} puts them back.`;
}

function proofProblem({ what, wanted, seen, said }: Proof): string {
  const words = said === "" ? "" : ` (${said.slice(0, 300)})`;
  return `The entry was run: ${what} was ${seen}, and should have been ${wanted}${words}.`;
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
