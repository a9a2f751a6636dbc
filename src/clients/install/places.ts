/** Where each client keeps the file that our entries go into, from its own variables, and what the program is called. */
import { isAbsolute, join } from "node:path";
import { claude } from "../claude.ts";
import type { ClientName } from "../client.ts";
import { codex } from "../codex.ts";
import { gemini } from "../gemini.ts";
import { opencode } from "../opencode.ts";

export interface ClientPlace {
  readonly name: ClientName;
  readonly title: string;
  /** As it is found on PATH. */
  readonly program: string;
  /** Names another folder than the usual one. */
  readonly folderVariable: string;
  readonly userFile: (home: PersonalHome) => string;
  /** Below the project's root. */
  readonly projectFile: string;
  /** Whether the client reads its file with comments and commas at the end of lists. */
  readonly allowsComments: boolean;
}

export interface PersonalHome {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
}

const places: Readonly<Record<ClientName, ClientPlace>> = {
  claude: {
    name: "claude",
    title: claude.title,
    program: "claude",
    folderVariable: "CLAUDE_CONFIG_DIR",
    userFile: (home) => join(folderOf(home, "CLAUDE_CONFIG_DIR", ".claude"), "settings.json"),
    projectFile: ".claude/settings.json",
    allowsComments: false,
  },
  codex: {
    name: "codex",
    title: codex.title,
    program: "codex",
    folderVariable: "CODEX_HOME",
    userFile: (home) => join(folderOf(home, "CODEX_HOME", ".codex"), "hooks.json"),
    projectFile: ".codex/hooks.json",
    allowsComments: false,
  },
  opencode: {
    name: "opencode",
    title: opencode.title,
    program: "opencode",
    folderVariable: "XDG_CONFIG_HOME",
    userFile: (home) => join(folderOf(home, "XDG_CONFIG_HOME", ".config"), "opencode/plugins/groundplan.js"),
    projectFile: ".opencode/plugins/groundplan.js",
    allowsComments: true,
  },
  gemini: {
    name: "gemini",
    title: gemini.title,
    program: "gemini",
    folderVariable: "GEMINI_CLI_HOME",
    userFile: (home) => join(folderOf(home, "GEMINI_CLI_HOME", ""), ".gemini/settings.json"),
    projectFile: ".gemini/settings.json",
    allowsComments: true,
  },
};

export const clientPlaces: readonly ClientPlace[] = Object.values(places);

export function placeOf(name: ClientName): ClientPlace {
  return places[name];
}

/** A relative folder would be another one in each project. */
function folderOf({ environment, directory }: PersonalHome, variable: string, otherwise: string): string {
  const given = environment[variable] ?? "";
  return isAbsolute(given) ? given : join(directory, otherwise);
}
