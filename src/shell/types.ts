/** What the shell guard is asked and what it answers. */

/** `read-only` and `writes` are proved; everything else is `unproven`. */
export type Judgement = "read-only" | "writes" | "unproven";

/** A half-open range of UTF-16 offsets in the given command. */
export type Span = readonly [start: number, end: number];

export interface ShellVerdict {
  readonly verdict: Judgement;
  /** Plain words that name the offending token. */
  readonly reason: string;
  /** The part of the given text that decided; null when it is the whole or there is none. */
  readonly span: Span | null;
  /** The analysed tree written down again with canonical quoting: what must be run instead of the raw text. Null: not cleanly parsed. */
  readonly canonical: string | null;
  /** Every simple command, canonical, also those inside substitutions and wrappers; permission rules match on these. */
  readonly parts: readonly string[];
  /** Those of them that are proved to only read, wherever they stand; none where something is unproven that belongs to no part. */
  readonly proved: readonly string[];
  /** Those that also write a file by a redirection. */
  readonly redirected: readonly string[];
  /** Something is not proved that belongs to no part: a redirection around several, arithmetic. */
  readonly loose: boolean;
  /** The directories in which what is not proved may run; null: unknown. */
  readonly places: readonly string[] | null;
  /** Literal input paths, absolute after following `cd`; a path that depends on a value known only at run time is not here. */
  readonly reads: readonly string[];
  /** The absolute paths touched when all that changes anything is mkdir, touch, mv, cp, rm or sed -i on literal paths; else null. */
  readonly edits: readonly string[] | null;
  /** A proved reading query of a service is part of it and needs the network. */
  readonly network: boolean;
  /** Directories in which git runs: the runner neutralises the configuration of each of these repositories. */
  readonly gitDirectories: readonly string[];
  /** Every program that would be started, behind wrappers and inside of scripts as well. */
  readonly commands: readonly ShellCommand[];
  /** A program is started that could not be made out: a rule that forbids anything must take it for the forbidden one. */
  readonly opaque: boolean;
  /** A text in some language is run, or names are given another meaning: programs may be started that stand nowhere in `commands`. */
  readonly starts: boolean;
  /** One simple proved query of a service, alone on its line, of literal words: the only command that may have the network. */
  readonly query: boolean;
}

export interface ShellCommand {
  /** Its name without a folder; null: known only at run time; empty: a redirection alone. */
  readonly program: string | null;
  /** As it was written, the name first; null: one or more words known only at run time. */
  readonly words: readonly (string | null)[];
  /** The absolute paths whose content it reads, a folder with all below it; null: not known. */
  readonly reads: readonly string[] | null;
  /** The absolute paths that it touches where it is a plain edit, the destination last. */
  readonly edits?: readonly string[];
}

/**
 * What is known about where the command would run. The guard assumes the cleaned environment of the runner: bash without
 * start-up files, aliases or functions, no program named by the environment, PATH without project entries, no terminal.
 */
export interface ShellSituation {
  readonly platform: "linux" | "darwin" | "win32";
  /** The absolute working directory. */
  readonly directory: string;
  /** The home directory, for `~` and a bare `cd`; unknown when absent. */
  readonly home?: string;
  /** Runs in the kernel sandbox: tools that read project configuration are then as harmless as their sub-command. */
  readonly caged?: boolean;
  /**
   * Program-valued git configuration that the runner could NOT neutralise (`diff.external`, `filter.x.clean` …).
   * Absent or empty: all of it is neutralised. Anything in it makes git unproven.
   */
  readonly gitPrograms?: readonly string[];
  /**
   * Tools whose project configuration (toolchain files, `yarnPath`, `packageManager`, `.cargo/config.toml`, `.mvn`) exists
   * in or above `directory`. Absent: not looked, every such tool is unproven without a cage. Empty: looked, none found.
   */
  readonly projectTools?: readonly ProjectTool[];
  /** The folders below `directory` that were not looked into for it: there such a tool is unproven. Absent: none below was. */
  readonly projectUnseen?: readonly string[];
  /** Files that were looked at: databases without a write-ahead log, which reading does not change. */
  readonly plainDatabases?: readonly string[];
}

export type ProjectTool =
  | "cargo"
  | "rustup"
  | "go"
  | "yarn"
  | "pnpm"
  | "maven"
  | "ruby"
  | "php"
  | "python"
  | "node"
  | "terraform";
