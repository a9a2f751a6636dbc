/** Which cage stands under a command here, chosen and self-tested once (B1.4, B1.11); never open without saying so. */
import { textAt } from "../files/read-regular.ts";
import type { CommandRun } from "../shell/run-command.ts";
import type { Offer } from "./find.ts";
import type { Cage, Missing, Rung, SelfTestReport } from "./types.ts";
import type { RungName } from "../../ports/rung-names.ts";

/** The first cage that passes its test; where none does, the reasons of all. */
export async function chooseCage(
  offers: readonly Offer[],
  test: (cage: Cage) => Promise<SelfTestReport>,
): Promise<{ readonly rung: Rung; readonly cage: Cage | null }> {
  const missing: Missing[] = [];
  for (const offer of offers) {
    const cage = await offer.open();
    if ("kind" in cage) {
      missing.push(cage);
      continue;
    }
    const selfTest = await test(cage);
    const passedOver = missing.map((each) => each.reason);
    if (selfTest.passed) {
      return { rung: { kind: "caged", name: cage.name, program: cage.program, selfTest, passedOver }, cage };
    }
    missing.push(explainFailure(cage.name, selfTest));
  }
  const reason = missing.map((each) => each.reason).join("; ");
  return { rung: { kind: "none", reason, advice: missing[0]?.advice ?? "" }, cage: null };
}

/** Why a cage that is present does not work, in words, and what to do about it. */
export function explainFailure(name: RungName, report: SelfTestReport, kernel = readKernelLimits()): Missing {
  const reason = report.failures.join("; ");
  if (name !== "bubblewrap" || !/did not start: .*(namespace|uid map|not permitted|denied|no space)/i.test(reason))
    return { kind: "none", reason: `the self-test of ${name} failed: ${reason}`, advice: reportIt };
  const advice =
    kernel.appArmor === "1"
      ? "AppArmor forbids user namespaces: give bwrap a profile with `userns,`, or `sysctl kernel.apparmor_restrict_unprivileged_userns=0`"
      : kernel.clone === "0"
        ? "allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1`"
        : kernel.most === "0"
          ? "allow user namespaces: `sysctl user.max_user_namespaces=15000`"
          : "a container forbids user namespaces: start it with a seccomp profile that allows them, or run outside of it";
  return { kind: "none", reason: `this system forbids user namespaces (${reason})`, advice };
}

/** Whether a result looks like a write that the cage refused (pure). */
export function refusedByCage(result: Pick<CommandRun, "exitCode" | "stdout" | "stderr">): boolean {
  if (result.exitCode === 0) return false;
  return /read-only file system|operation not permitted|permission denied|\b(EROFS|EPERM|EACCES)\b/i.test(
    `${result.stderr}\n${result.stdout.slice(-4_000)}`,
  );
}

const reportIt = "this cage is not used; please report it with the output of `groundplan doctor`";

function readKernelLimits() {
  return {
    appArmor: setting("kernel/apparmor_restrict_unprivileged_userns"),
    clone: setting("kernel/unprivileged_userns_clone"),
    most: setting("user/max_user_namespaces"),
  };
}

function setting(name: string): string {
  return textAt(`/proc/sys/${name}`)?.trim() ?? "";
}
