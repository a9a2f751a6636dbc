/** A cage: one way to have the kernel keep a program from changing anything, and what a program may wish for in it. */
import type { RungName } from "../../ports/rung-names.ts";
import type { CommandRequest } from "../shell/run-command.ts";
import type { Processor } from "./seccomp-numbers.ts";

/** What a caged program needs beyond reading everything that is not hidden. */
export interface CageWish {
  /** Program (an absolute path) and arguments. */
  readonly command: readonly string[];
  /** The real path of the working directory. */
  readonly directory: string;
  readonly network: "none" | "tcp";
  /** The one socket file that may be reached. */
  readonly socket?: string | undefined;
  /** Real paths that stay visible, read-only, although what they lie in is closed. */
  readonly visible: readonly string[];
  /** Real paths, files or folders, whose content cannot be read, whatever is visible. */
  readonly hide: readonly string[];
  /** The work tree, where it is a copy that may be written. */
  readonly writable?: string | undefined;
  /** The environment, by the folder that the program may write to. */
  readonly environment: (scratch: string) => Readonly<Record<string, string>>;
}

/** How to start what was wished for. */
export interface Confined extends Pick<CommandRequest, "argv" | "environment" | "input" | "ending" | "release"> {
  /** Real folders that need memory of their own where everything around the cage is read-only. */
  readonly memory?: readonly string[];
}

/** What a cage on Linux is made of. */
export interface LinuxMachine {
  /** The absolute path of the program that builds it. */
  readonly program: string;
  readonly processor: Processor;
  /** Real paths that stay visible in every command's cage. */
  readonly visible: readonly string[];
  readonly closed: () => readonly string[];
  /** The real folder for what has to be made. */
  readonly scratch: () => string;
}

/** What this cage has no way to give. */
export interface Unable {
  readonly cannot: string;
}

export interface Cage {
  readonly name: RungName;
  /** The absolute path of the program that builds it. */
  readonly program: string;
  readonly confine: (wish: CageWish) => Confined | Unable;
}

/** Why there is no cage, in words, and what to do about it. */
export interface Missing {
  readonly kind: "none";
  readonly reason: string;
  readonly advice: string;
}

export interface SelfTestReport {
  readonly passed: boolean;
  /** What did not hold, in words; empty when all did. */
  readonly failures: readonly string[];
  readonly durationMs: number;
}

/** The cage that stands under a command here, tested, or why there is none. */
export type Rung =
  | {
      readonly kind: "caged";
      readonly name: RungName;
      readonly program: string;
      readonly selfTest: SelfTestReport;
      /** Why better ones are not used, in words. */
      readonly passedOver: readonly string[];
    }
  | Missing;

export type SandboxSetting = "auto" | "required" | "off";
