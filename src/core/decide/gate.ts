/** The plan gate: what may happen while planning, whatever rules, hooks, bypass or auto mode say (section 5, B1.1). */
import { isTrustedReader, type Access, type CommandAccess, type FetchAccess } from "./access.ts";
import { allow, ask, deny, type Decision } from "./decision.ts";
import { isHeld, type Situation } from "./situation.ts";

/** "Allow" means only that the gate is open for this call; the person's rules come after it. */
export function gate(access: Access, situation: Situation): Decision {
  switch (access.kind) {
    case "read":
    case "note":
    case "ask-user":
      return allow;
    case "fetch":
      return access.method === "GET" ? fetched(access, situation) : deny("plan-network", access.method);
    case "write":
      return access.path === situation.planFile ? allow : deny("plan-write", access.path);
    case "command":
      return command(access, situation);
    case "spawn":
      return access.readOnly ? allow : deny("plan-spawn", access.agent);
    case "external":
      return isTrustedReader(access) ? allow : deny("plan-external", access.name);
    case "enter-plan":
      return deny(situation.actor.kind === "subagent" ? "enter-in-agent" : "already-planning");
    case "exit-plan":
      return exit(situation);
    case "invalid":
      return deny("invalid", access.reason);
  }
}

function command(access: CommandAccess, situation: Situation): Decision {
  const { verdict, reason, part = null, directory } = access;
  switch (verdict) {
    case "read-only":
      return access.network ? network(access.command, situation) : allow;
    case "writes":
      return deny("plan-command-writes", reason, part);
    case "unproven":
      if (access.sandboxed) return allow;
      return ask({ kind: "unproven", command: access.command, directory, reason, part });
  }
}

/** B1.14: what leads inside is asked about, also where readers of the network are not. */
function fetched({ url, inward = [] }: FetchAccess, situation: Situation): Decision {
  const byNetwork = network(url, situation);
  return inward.length === 0 || byNetwork.kind === "deny" ? byNetwork : ask({ kind: "network", url, inward });
}

function network(target: string, { planNetwork }: Situation): Decision {
  switch (planNetwork) {
    case "readers":
      return allow;
    case "ask":
      return ask({ kind: "network", url: target });
    case "off":
      return deny("plan-network", target);
  }
}

function exit({ actor, permissions: { mode } }: Situation): Decision {
  switch (actor.kind) {
    case "main":
      return { kind: "review" };
    case "subagent":
      return actor.ownPlan && actor.parent !== "plan" ? { kind: "review" } : deny("exit-parent-planning");
    case "teammate":
      if (actor.planRequired || !("voluntary" in mode)) return { kind: "submit" };
      return isHeld(actor) ? deny("exit-parent-planning") : { kind: "leave" };
  }
}
