/** `doctor` on other agents: each installed entry is run, a launcher of another release is renewed (B11.7). */
import { join } from "node:path";
import { findProgram } from "../../../agent/host/launch/find-program.ts";
import { searchPath } from "../../../agent/host/launch/search-path.ts";
import { readClientFile } from "../../../clients/install/client-file.ts";
import { launcherPath } from "../../../clients/install/launcher-path.ts";
import { putLauncher, type Launcher } from "../../../clients/install/launcher.ts";
import { lookAt } from "../../../clients/install/look.ts";
import { fileOf, partsOf, type InstallScope } from "../../../clients/install/parts.ts";
import { clientPlaces, type PersonalHome } from "../../../clients/install/places.ts";
import { installedPlugins } from "../../../clients/install/plugin.ts";
import { allRecords } from "../../../clients/install/record.ts";
import { errorText } from "../../../core/error-text.ts";
import type { ClientName } from "../../../clients/client.ts";
import type { DoctorFinding } from "../doctor-finding.ts";

export interface GuardPlace {
  readonly home: string;
  readonly person: PersonalHome;
  readonly root: string;
  readonly launcher: Launcher;
}

/** Of agents that have an entry of ours, and of those on PATH that have none. */
export async function guardFindings(place: GuardPlace): Promise<readonly DoctorFinding[]> {
  const installed = await installedEntries(place);
  const renewed = installed.length === 0 ? null : await renewedLauncher(place.launcher);
  const findings: DoctorFinding[] = renewed === null ? [] : [renewed];
  for (const { agent, file, scope } of installed) {
    const { problems, notes, proofs } = await lookAt({ agent, file, person: place.person, directory: place.root });
    const name = `guard ${agent}`;
    const seen = [...new Set(proofs.map(({ what, seen: how }) => `${what} ${how}`))].join(", ");
    const detail = [`${scope} (${file})`, seen, ...notes].filter(Boolean).join("; ");
    if (problems.length === 0) findings.push({ name, ok: true, detail, advice: null });
    else findings.push({ name, ok: false, detail: `NOT GUARDED, ${detail}`, advice: problems.join(" ") });
  }
  return [...findings, ...unguarded(place, new Set(installed.map(({ agent }) => agent)))];
}

export function isUnproved({ name, ok, detail }: DoctorFinding): boolean {
  return !ok && name.startsWith("guard ") && detail.startsWith("NOT GUARDED");
}

interface Installed {
  readonly agent: ClientName;
  readonly file: string;
  readonly scope: "user" | "project" | "plugin";
}

/** In this person's files, in those of this project, and wherever else an install was made. */
async function installedEntries({ home, person, root }: GuardPlace): Promise<readonly Installed[]> {
  const found = new Map<string, Installed>();
  for (const { name: agent } of clientPlaces) {
    for (const scope of ["user", "project"] as const) {
      const asked: InstallScope = { agent, scope, home, person, root };
      const [part] = partsOf(asked);
      const read = part === undefined ? null : await readClientFile(part.file);
      const text = read === null || "problem" in read ? null : read.text;
      if (text !== null && part!.isIn(text)) found.set(part!.file, { agent, scope, file: fileOf(asked) });
    }
  }
  const mains = (await allRecords(home)).filter(({ isMain }) => isMain);
  for (const { agent, scope, file } of mains) if (!found.has(file)) found.set(file, { agent, scope, file });
  const plugins = installedPlugins(person).filter(({ isOn }) => isOn);
  return [...found.values(), ...plugins.map(({ file }) => ({ agent: "claude", scope: "plugin", file }) as const)];
}

async function renewedLauncher(launcher: Launcher): Promise<DoctorFinding | null> {
  const path = launcherPath(launcher.home);
  try {
    if (!(await putLauncher(launcher))) return null;
    return { name: "guard", ok: true, detail: `${path} was renewed for this release`, advice: null };
  } catch (error) {
    const detail = `${path} cannot be renewed: ${errorText(error)}`;
    return { name: "guard", ok: false, detail, advice: `make ${join(launcher.home, "bin")} writable` };
  }
}

function unguarded({ person, root }: GuardPlace, guarded: ReadonlySet<ClientName>): readonly DoctorFinding[] {
  const { environment } = person;
  const path = searchPath({ path: environment["PATH"], directories: [root], home: environment["HOME"] });
  return clientPlaces
    .filter(({ name, program }) => !guarded.has(name) && findProgram(program, path) !== null)
    .map(({ name, title }) => ({
      name: `guard ${name}`,
      ok: false,
      detail: `${title} is here, and its plan mode is not guarded`,
      advice: `groundplan install ${name}`,
    }));
}
