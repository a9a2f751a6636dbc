/** Random tool calls of every kind, and an oracle of its own for what is harmless while planning. */
import type { Access, Call, HookAnswer, Subject } from "../../src/core/decide/access.ts";
import type { Chance } from "./random.ts";

export const planFolder = "/home/ada/.groundplan/plans";

export function randomCall(chance: Chance, id: string, planFile: string | null): Call {
  const { tool, access, subjects } = randomClaim(chance, planFile);
  const hook: HookAnswer | undefined = chance.chance(0.2)
    ? { answer: chance.pick(["allow", "deny", "ask"]), reason: "hook" }
    : undefined;
  return { id, tool, input: {}, access, subjects, ...(hook === undefined ? {} : { hook }) };
}

/** Written from the specification's table, not from the code: what may run while planning without a person's single yes. */
export function isHarmless(call: Call, planFile: string | null): boolean {
  const { access } = call;
  if (access === null) return false;
  if (["read", "note", "ask-user"].includes(access.kind)) return true;
  if (access.kind === "fetch") return access.method === "GET";
  if (access.kind === "write") return planFile !== null && access.path === planFile;
  if (access.kind === "command") {
    return access.verdict === "read-only" || (access.verdict === "unproven" && access.sandboxed);
  }
  if (access.kind === "spawn") return access.readOnly;
  if (access.kind === "external") {
    return access.namedReader || (access.trusted && access.readOnlyHint && !access.destructiveHint);
  }
  return false;
}

export function isUncagedUnproven({ access }: Call): boolean {
  return access?.kind === "command" && access.verdict === "unproven" && !access.sandboxed;
}

interface Claimed {
  readonly tool: string;
  readonly access: Access | null;
  readonly subjects: readonly Subject[];
}

function randomClaim(chance: Chance, planFile: string | null): Claimed {
  const kind = chance.pick([
    "read",
    "write",
    "write",
    "plan",
    "plan",
    "command",
    "command",
    "spawn",
    "external",
    "fetch",
    "note",
    "ask",
    "enter",
    "exit",
    "exit",
    "exit",
    "none",
    "invalid",
  ]);
  switch (kind) {
    case "read":
      return onPath("Read", "/repo/.env", { kind: "read", paths: ["/repo/.env"] });
    case "write": {
      const path = chance.pick([
        "/repo/src/a.ts",
        `${planFile ?? planFolder}x`,
        `${planFolder}/other.md`,
        "/repo/.git/config",
        (planFile ?? "/x").toUpperCase(),
      ]);
      const place = path.includes(".git/") ? "guarded" : path.startsWith("/repo") ? "project" : "elsewhere";
      return onPath("Edit", path, { kind: "write", path, place });
    }
    case "plan": {
      const path = planFile ?? `${planFolder}/none.md`;
      return onPath("Write", path, { kind: "write", path, place: "elsewhere" });
    }
    case "command": {
      const verdict = chance.pick(["read-only", "writes", "unproven"] as const);
      const command = chance.pick(["git status", "rm -rf .", "make"]);
      const access: Access = {
        kind: "command",
        command,
        directory: "/repo",
        verdict,
        reason: "because",
        sandboxed: chance.chance(0.5),
        network: chance.chance(0.2),
        files: chance.pick([null, "project", "elsewhere"]),
      };
      return { tool: "Bash", access, subjects: [{ rule: "Bash", parts: [command], opaque: chance.chance(0.1) }] };
    }
    case "spawn":
      return named("Agent", { kind: "spawn", agent: "worker", readOnly: chance.chance(0.5) });
    case "external": {
      const hint = () => chance.chance(0.5);
      const access: Access = {
        kind: "external",
        name: "mcp__s__t",
        trusted: hint(),
        readOnlyHint: hint(),
        destructiveHint: hint(),
        namedReader: chance.chance(0.2),
      };
      return named("mcp__s__t", access);
    }
    case "fetch":
      return named("WebFetch", { kind: "fetch", url: "http://x", method: chance.pick(["GET", "POST"]) });
    case "note":
      return named("TodoWrite", { kind: "note" });
    case "ask":
      return named("AskUserQuestion", {
        kind: "ask-user",
        ...(chance.chance(0.8)
          ? { questions: [{ question: "Which?", header: "x", options: [], multiSelect: false }] }
          : {}),
      });
    case "enter":
      return named("EnterPlanMode", { kind: "enter-plan" });
    case "exit":
      return named("ExitPlanMode", { kind: "exit-plan" });
    case "none":
      return named("Mystery", null);
    default:
      return named("Broken", { kind: "invalid", reason: "bad input" });
  }
}

function named(tool: string, access: Access | null): Claimed {
  return { tool, access, subjects: [{ rule: tool }] };
}

function onPath(tool: string, path: string, access: Access): Claimed {
  return { tool, access, subjects: [{ rule: tool, path }] };
}
