/** `groundplan team`: starts a teammate, and the lead's side of teammate plans. */
import type { Command } from "../../command.ts";

const usage = `groundplan team start <name> "task"     a teammate, as this process; its plan goes to the lead
    --plan-required      it starts in plan mode and only the lead lets it out
    --deadline <s>       how long the lead has for an answer (1800)
    and the options of a session: --model, --cwd, --permission-mode, --output-format, --resume …
groundplan team inbox                   plans that wait for an answer            --json
groundplan team show <id>               one of them, as it would be approved     --json
groundplan team approve <id>            approves exactly what was shown
    --mode <mode>        what the teammate may do then: default, acceptEdits, auto, bypassPermissions
                         (in default it asks before each edit, and where it runs headless nobody answers)
    --hash <hash>        only if the plan has this SHA-256
    --feedback <text>    notes that go with it
groundplan team reject <id> --feedback "what should change"
groundplan team status                  who is in the team, and at what          --json
groundplan team stop <name>             asks a teammate to end                   --feedback <why>
groundplan team take <name>             its plan goes on in a session here, with revisions and comments; the
                                        teammate is told and stops               --json
  --team <team>    another team than the setting's or "default"     --cwd <dir>     --settings <file|json>
  An <id> may be shortened, or be the teammate's name. Across machines: the settings team.transport "nats" and team.natsUrl.
`;

const teamCommand: Command = async (args, streams) => {
  const [verb = "", ...rest] = args;
  if (verb === "" || asksForHelp(args)) {
    streams.stdout.write(usage);
    return verb === "" ? 2 : 0;
  }
  if (verb === "start") return (await import("./start.ts")).startTeammate(rest, streams);
  if (["inbox", "show", "approve", "reject", "status", "stop", "take"].includes(verb))
    return (await import("./lead.ts")).leadTeam(args, streams);
  streams.stderr.write(`groundplan: There is no groundplan team ${JSON.stringify(verb.slice(0, 40))}.\n${usage}`);
  return 2;
};

export const team: Command = Object.assign(teamCommand, {
  words: async () => (await import("./wish.ts")).teamWords(),
});

/** Words after `--` are the task's own. */
function asksForHelp(args: readonly string[]): boolean {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  return own.includes("--help") || own.includes("-h");
}
