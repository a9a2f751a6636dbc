/** What a tool call would touch, in canonical paths; the hinge between tools, which declare it, and `decide`, which judges it. */
import type { UserQuestion } from "../questions.ts";

export type Access =
  | { readonly kind: "read"; readonly paths: readonly string[] }
  | FetchAccess
  /** The session's own notes (todos): nothing outside it. */
  | { readonly kind: "note" }
  /** The session itself asks these; a call without them asks by itself. */
  | { readonly kind: "ask-user"; readonly questions?: readonly UserQuestion[] }
  /** `kept`: a plan of the library that was settled, or is another session's (B5.1). */
  | { readonly kind: "write"; readonly path: string; readonly place: Place; readonly kept?: true }
  | CommandAccess
  | { readonly kind: "spawn"; readonly agent: string; readonly readOnly: boolean }
  | ExternalAccess
  | { readonly kind: "enter-plan" }
  | { readonly kind: "exit-plan" }
  /** The call could not be understood: it never runs. */
  | { readonly kind: "invalid"; readonly reason: string };

export interface FetchAccess {
  readonly kind: "fetch";
  readonly url: string;
  readonly method: string;
  /** Addresses inside of this machine and the networks around it that it leads to. */
  readonly inward?: readonly string[];
}

export interface CommandAccess {
  readonly kind: "command";
  readonly command: string;
  readonly directory: string;
  readonly verdict: "read-only" | "writes" | "unproven";
  readonly reason: string;
  /** The part of the command that decided. */
  readonly part?: string;
  /** Whether it would run in a cage that keeps the file system read-only. */
  readonly sandboxed: boolean;
  /** A proved reading query of a service, which needs the network. */
  readonly network: boolean;
  /** Where the whole command only makes, moves, copies, edits or removes files: how far these reach. */
  readonly files: Place | null;
  /** Among them it removes recursively or by force: asked also where edits are not (B18.4). */
  readonly harsh?: true;
}

/** A tool of a foreign server. */
export interface ExternalAccess {
  readonly kind: "external";
  readonly name: string;
  readonly trusted: boolean;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** The person's settings name this tool as a reader. */
  readonly namedReader: boolean;
}

export function isTrustedReader({ trusted, readOnlyHint, destructiveHint, namedReader }: ExternalAccess): boolean {
  return namedReader || (trusted && readOnlyHint && !destructiveHint);
}

/** Where a path lies: in the project or an added directory, elsewhere, or on a guarded path (section 17). */
export type Place = "project" | "elsewhere" | "guarded";

/** What permission rules are matched against; a tool may stand under several names, by path or by command. */
export interface Subject {
  readonly rule: string;
  readonly path?: string;
  readonly parts?: readonly string[];
  /** For allow rules: those of the parts that are proved to only read, also outside of the cage; they need no rule beside one that does (B18.3). */
  readonly proved?: readonly string[];
  /** Those of them that read no file: nothing that a deny rule refuses can be among it. */
  readonly silent?: readonly string[];
  /** Parts that also write a file by a redirection: a rule on how a command begins says nothing of that. */
  readonly redirected?: readonly string[];
  /** Something in it belongs to no part: rules on parts do not cover it. */
  readonly loose?: boolean;
  /** For deny and ask rules alone: each program that would start, by its bare name and words; null: known only at run time. */
  readonly forms?: readonly (readonly (string | null)[])[];
  /** Stands for paths that are known only at run time. */
  readonly unknown?: boolean;
  /** Part of the command cannot be seen through (a name made at run time, a text that does not parse). */
  readonly opaque?: boolean;
  /** It runs a text that may start any program: a deny rule on a program may be broken by it. */
  readonly starts?: boolean;
  /** It would read what is ours alone (B1.5): no rule and no mode allows that. The built-in rule, in words; with `unknown`, it may be among what is read. */
  readonly own?: string;
  /** Only an allow rule that names it covers it, none that is for everything under the name. */
  readonly explicit?: boolean;
}

/** Hooks may refuse or ask; their "allow" never opens the gate (B8.2). `none`: they were asked, and leave it to the rules. */
export interface HookAnswer {
  readonly answer: "allow" | "deny" | "ask" | "none";
  readonly reason: string;
}

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Missing access means that the tool declared none: it does not run (B1.2). */
  readonly access: Access | null;
  readonly subjects: readonly Subject[];
  readonly hook?: HookAnswer;
}

/** Whether several such calls may be under way at once. */
export function isConcurrencySafe(access: Access | null): boolean {
  switch (access?.kind) {
    case "write":
    case "external":
      return false;
    case "command":
      return access.verdict === "read-only";
    case "read":
    case "fetch":
    case "note":
    case "ask-user":
    case "spawn":
    case "enter-plan":
    case "exit-plan":
    case "invalid":
    case undefined:
      return true;
  }
}

/** Whether it only looks, asks or notes: nothing outside of the session changes by it. */
export function isReading(access: Access | null): boolean {
  switch (access?.kind) {
    case "write":
    case "spawn":
      return false;
    case "command":
      return access.verdict === "read-only";
    case "external":
      return isTrustedReader(access);
    case "fetch":
      return access.method === "GET";
    default:
      return true;
  }
}

/** Whether running it twice does no harm: after a crash such a call is simply run again (R14.6), and an open question asked again. */
export function isRepeatable(access: Access | null): boolean {
  if (access?.kind === "command") return access.verdict === "read-only";
  return (
    access?.kind === "read" || access?.kind === "ask-user" || (access?.kind === "fetch" && access.method === "GET")
  );
}

/** Pure and lexical: give it canonical paths. */
export function placeOf(path: string, roots: readonly string[]): Place {
  const around = roots.filter((candidate) => isInside(path, candidate)).map(({ length }) => length);
  const below = path.slice(Math.max(0, ...around)).toLowerCase();
  const isGuarded =
    startupFiles.has(path.slice(path.lastIndexOf("/") + 1).toLowerCase()) ||
    /\/\.(git|groundplan)(\/|$)/.test(path.toLowerCase()) ||
    startingFolders.test(below);
  if (isGuarded) return "guarded";
  return around.length === 0 ? "elsewhere" : "project";
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** What editors, other agents and git hooks run code by; below the root only, for a work tree may lie in such a folder. */
const startingFolders = /(^|\/)\.(vscode|idea|husky|githooks|devcontainer|claude|codex|gemini|opencode|cursor)(\/|$)/;

/** In lower case: some disks do not tell the difference. */
const startupFiles = new Set([
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".cshrc",
  ".tcshrc",
  ".kshrc",
  "config.fish",
  ".inputrc",
  ".gitconfig",
  ".gitmodules",
  ".npmrc",
  ".ripgreprc",
  ".envrc",
  ".mcp.json",
  ".devcontainer.json",
  ".pre-commit-config.yaml",
  "lefthook.yml",
]);
