/** The shape of a settings file: every key, its values, and one line on what it does; the JSON schema is made of this. */
import * as z from "zod";
import { modes } from "../mode.ts";
import { hookAliases, hookNames } from "./hook-names.ts";

const text = z.string().min(1);
const model = text.regex(/^(scout|[a-z][a-z0-9-]*\/\S+)$/, 'write it as "provider/name", or "scout"');
const name = text.regex(
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
  "use letters, digits, - and _ alone, 64 at most, a letter or digit first",
);
const effort = z.enum(["low", "medium", "high"]);
/** A rule that would match nothing, or everything by accident, is refused: see `parseRule`. */
const rule = text.regex(/^[^()\s]+(\(\s*\S[\s\S]*\))?$/, 'write a rule as "Name" or "Name(pattern)"');
const reader = text.regex(/^mcp__[^\s()]+$/, 'write the name of an MCP tool, as in "mcp__server__tool"');

const hookFields = {
  type: z.enum(["command"]).optional(),
  command: text.describe(
    "A line for the shell, or a program where there are args; it gets the event as JSON on stdin.",
  ),
  args: z.array(z.string()).optional().describe("The program's arguments: no shell is used then."),
  timeout: z.number().positive().max(604_800).optional().describe("Seconds until it is ended; 600 when left out."),
};
const hook = z.strictObject(hookFields);
/** Commands behind one matcher, or a single command. */
const hookEntry = z
  .strictObject({
    ...hookFields,
    command: hookFields.command.optional(),
    matcher: z.string().optional().describe("For which tools, or other names of the event; a regular expression."),
    hooks: z.array(hook).optional(),
    tool: text.optional().describe("For a single command: only for this tool."),
  })
  .refine(({ command, hooks }) => (command === undefined) !== (hooks === undefined), {
    message: 'give it either a "command" or a list of "hooks"',
  });
const hookEvents = [...hookNames, ...(Object.keys(hookAliases) as (keyof typeof hookAliases)[])] as const;

const mcpServer = z
  .strictObject({
    command: text.optional().describe("The program of a server on stdio."),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: text.optional(),
    url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("The address of a server over HTTP."),
    headers: z.record(z.string(), z.string()).optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    message: 'give it either a "command" or a "url"',
  });

const permissions = z.strictObject({
  allow: z.array(rule).optional().describe("Calls that need no question outside of plan mode."),
  ask: z.array(rule).optional().describe("Calls that are always asked about."),
  deny: z.array(rule).optional().describe("Calls that are refused in every mode."),
  readers: z.array(reader).optional().describe("MCP tools that only read, and so may be used in plan mode."),
});

const natsAddress = z.url({ protocol: /^(nats|tls|wss?)$/ });
const team = z.strictObject({
  name: name.optional(),
  role: name.optional(),
  transport: z.enum(["files", "nats"]).optional(),
  natsUrl: z
    .string()
    .refine(
      (text) => text.split(",").every((part) => natsAddress.safeParse(part.trim()).success),
      "write a whole address, as in nats://host:4222; several are separated by commas",
    )
    .optional()
    .describe("Where the NATS servers are: nats://host:4222, several separated by commas."),
});

export const settingsShape = z.strictObject({
  $schema: z.string().optional().describe("The address of this schema, for editors."),
  model: model.optional().describe("The model of the session, as provider/name."),
  planModel: model.optional().describe("The model while planning; otherwise the session's."),
  exploreModel: model.optional().describe("The model of Explore agents; otherwise the provider's small one."),
  effort: effort.optional().describe("How hard the model thinks."),
  planEffort: effort.optional().describe("How hard the model thinks while planning."),
  defaultMode: z.enum(modes).optional().describe("The mode in which a session starts."),
  cycleModes: z.array(z.enum(modes)).min(1).optional().describe("The modes that Shift+Tab goes through, in order."),
  keybindings: z
    .record(text, z.union([text, z.array(text), z.null()]))
    .optional()
    .describe("Action to key, keys, or null for none."),
  theme: z.enum(["auto", "dark", "light"]).optional().describe("Colours; auto asks the terminal."),
  editor: text.optional().describe("The command that opens a file; otherwise $VISUAL, then $EDITOR."),
  notify: z
    .enum(["auto", "bell", "desktop", "off"])
    .optional()
    .describe("How to call for an answer when the terminal is not in front."),
  plansDirectory: text.optional().describe("Where plan files lie, from the project root, inside of it."),
  planNames: z.enum(["words", "task"]).optional().describe("Random words, or the date and the task."),
  planNetwork: z.enum(["readers", "ask", "off"]).optional().describe("What may be fetched while planning."),
  planWorkflow: z.enum(["phases", "interview"]).optional().describe("Five phases, or explore and ask in turns."),
  planLength: z.enum(["full", "trim", "cut", "cap"]).optional().describe("How long plans may be, longest first."),
  planEagerness: z.enum(["eager", "reserved"]).optional().describe("When unsure: plan, or start and ask."),
  modelMayEnterPlan: z
    .enum(["never", "ask", "allow"])
    .optional()
    .describe("Whether the model may begin to plan by itself."),
  planScope: z.enum(["off", "warn", "ask"]).optional().describe("Edits outside the files that the plan names."),
  planTemplate: text.optional().describe("A Markdown file whose headings every plan must have."),
  maxPlanningTokens: z.int().positive().optional().describe("Budget of planning; model and person are told."),
  tier: text.optional().describe("Your plan with the provider: sets how many Plan agents may run."),
  useAutoModeDuringPlan: z.boolean().optional().describe("Whether auto mode answers questions while planning."),
  autoMode: z
    .strictObject({ enabled: z.boolean().optional().describe("Opts in to auto mode.") })
    .optional()
    .describe("Auto mode: a classifier answers instead of you."),
  permissions: permissions.optional().describe("Rules; deny goes before ask, ask before allow."),
  sandbox: z
    .enum(["auto", "required", "off"])
    .optional()
    .describe("Whether commands of plan mode run in a kernel sandbox."),
  mcpServers: z.record(name, mcpServer).optional().describe("MCP servers by name."),
  trustedMcpServers: z.array(name).optional().describe("Servers whose readOnlyHint is believed."),
  hooks: z
    .partialRecord(z.enum(hookEvents), z.array(hookEntry))
    .optional()
    .describe("Commands to run when something happens."),
  channels: z
    .array(name)
    .optional()
    .describe(
      "Remote channels that cannot show an approval: EnterPlanMode is not offered where they drive the session.",
    ),
  review: z
    .enum(["browser", "browser-only", "terminal", "off"])
    .optional()
    .describe(
      "Where plans of other agents are answered: on our page, on our page before their own dialog opens, in their own dialog, or never.",
    ),
  receipt: z
    .strictObject({
      key: text
        .regex(/^(\/|~\/)/, 'write a whole path, or one that begins with "~/"')
        .optional()
        .describe("The SSH key that signs receipts: a private one, or a public one whose other half your agent has."),
    })
    .optional()
    .describe("Receipts of finished plans; a project's own settings never choose the key."),
  team: team.optional().describe("The team this session works in."),
});

export type SettingsFile = z.infer<typeof settingsShape>;
export type McpServer = z.infer<typeof mcpServer>;

/** One command of a person's, and for what of its event it runs. */
export type Hook = Omit<z.infer<typeof hook>, "type"> & { readonly matcher?: string };
