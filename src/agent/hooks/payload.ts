/** What a hook reads on stdin, in the published names. */
import { resolve } from "node:path";
import type { Call } from "../../core/decide/access.ts";
import type { HookAsked } from "../ports/host.ts";

interface PayloadPlace {
  readonly directory: string;
  readonly logOf: (session: string) => string;
}

export function payloadOf({ event, input, session, agent }: HookAsked, { directory, logOf }: PayloadPlace): object {
  const id = agent?.session ?? session.id;
  return {
    session_id: id,
    transcript_path: logOf(id),
    cwd: directory,
    permission_mode: session.permissions.mode.current,
    hook_event_name: event,
    ...(agent === undefined ? {} : { agent_id: agent.id, agent_type: agent.type }),
    ...input,
  };
}

/** Paths are whole; a plan that is handed in is there with its text. */
export function toolFields(
  { tool, input }: Call,
  place: { readonly directory: string; readonly plan?: object },
): object {
  return { tool_name: tool, tool_input: { ...withWholePaths(input, place.directory), ...place.plan } };
}

function withWholePaths(input: unknown, directory: string): object {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return {};
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const isPath = pathKeys.has(key) && typeof value === "string" && value !== "" && !value.startsWith("~");
      return [key, isPath ? resolve(directory, value) : value];
    }),
  );
}

const pathKeys: ReadonlySet<string> = new Set(["file_path", "notebook_path"]);
