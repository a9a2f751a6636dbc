/** The guarded shell as the tools see it: what was judged is what runs, in the cage unless somebody allowed it to write. */
import type { Shell } from "../../ports/ports.ts";
import type { GuardedShell } from "./guarded-shell.ts";
import { refusedByCage } from "../cage/rung.ts";

/** `mayReach`: whether a proved reading query of a service gets the network while planning (`planNetwork`). */
export function shellPort(guarded: GuardedShell, live: { readonly mayReach: boolean }): Shell {
  return {
    async judge(command, directory) {
      const [judged, rung] = await Promise.all([guarded.judge(command, directory), guarded.rung()]);
      return { ...judged, command, directory, sandboxed: rung.kind !== "none" };
    },
    async run(judged, { confined, planning, unasked, hide, timeoutMs, signal, outlet }) {
      const { command, directory, network, canonical, gitDirectories = [] } = judged;
      const what = confined || canonical !== null ? { canonical, gitDirectories } : command;
      const reaches = !confined || (network && judged.verdict === "read-only" && (live.mayReach || !planning));
      const { isProjectCheck } = await import("../../../shell/index.ts");
      const onCopy = confined && judged.verdict === "unproven" && isProjectCheck(judged.parts);
      const place = { directory, confined, planning, unasked, network: reaches, onCopy };
      const result = await guarded.run(what, { ...place, hide, timeoutMs, signal, outlet });
      const rung = guarded.knownRung();
      const isCaged = planning && confined && rung?.kind === "caged";
      const said = { ...result, stdout: result.tail ?? result.stdout };
      return { ...result, refused: isCaged && refusedByCage(said) ? rung.name : null };
    },
  };
}
