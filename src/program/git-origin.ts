/** The branch and commit of a repository, read from its files: git is not run for it. */
import { join, resolve } from "node:path";
import type { PlanOrigin } from "../core/plan/ledger.ts";
import { readRegularText } from "../agent/host/files/read-regular.ts";

const none: PlanOrigin = { branch: null, commit: null };

/** Never throws: what cannot be read is null. */
export async function readGitOrigin(root: string): Promise<PlanOrigin> {
  try {
    const gitDirectory = await findGitDirectory(root);
    const head = (await readRegularText(join(gitDirectory, "HEAD"))).trim();
    const ref = /^ref: (refs\/[^\0]+)$/.exec(head)?.[1];
    if (ref === undefined) return { branch: null, commit: /^[0-9a-f]{40,64}$/.test(head) ? head : null };
    return { branch: ref.replace(/^refs\/heads\//, ""), commit: await resolveRef(gitDirectory, ref) };
  } catch {
    return none;
  }
}

async function findGitDirectory(root: string): Promise<string> {
  const path = join(root, ".git");
  const text = await readRegularText(path).catch(() => null);
  const target = text === null ? undefined : /^gitdir: (.+)$/m.exec(text)?.[1];
  return target === undefined ? path : resolve(root, target);
}

async function resolveRef(gitDirectory: string, ref: string): Promise<string | null> {
  const common = await readRegularText(join(gitDirectory, "commondir")).catch(() => null);
  const folders = common === null ? [gitDirectory] : [gitDirectory, join(gitDirectory, common.trim())];
  for (const folder of folders) {
    const loose = await readRegularText(join(folder, ref)).catch(() => null);
    if (loose !== null) return loose.trim();
    const packed = await readRegularText(join(folder, "packed-refs")).catch(() => "");
    const line = packed.split("\n").find((candidate) => candidate.endsWith(` ${ref}`));
    if (line !== undefined) return line.split(" ")[0] ?? null;
  }
  return null;
}
