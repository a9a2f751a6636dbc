/** The rules stage of auto mode: what can be said of a call by what it touches alone; no word of files, models or tools is read. */
import type { Call } from "../../core/decide/access.ts";
import type { Question } from "../../core/decide/decision.ts";
import { matchRules, type Roots, type RuleBook } from "../../core/decide/rules.ts";
import { judgeCommand } from "./command-rules.ts";
import { allow, ask, deny, open, strictest, type Finding } from "./finding.ts";
import { judgeTouched, type Ground } from "./touched-paths.ts";

export interface RulesGround extends Ground {
  readonly rules: RuleBook;
  readonly project: Roots;
}

export function judgeCall(call: Call, question: Question, ground: RulesGround): Finding {
  const { denied } = matchRules(ground.rules, call.subjects, ground.project);
  if (denied !== null) return deny(`the rule ${denied} forbids it`);
  const touched = call.subjects.flatMap(({ path }) => (path === undefined ? [] : judgeTouched(path, ground)));
  const asked = question.kind === "rule" ? [open(`the rule ${question.rule} asks about it`)] : [];
  return strictest([...touched, ...asked], byAccess(call, ground));
}

function byAccess({ access, subjects }: Call, ground: RulesGround): Finding {
  switch (access?.kind) {
    case "read":
      return strictest(
        access.paths.flatMap((path) => judgeTouched(path, ground)),
        open("it reads files"),
      );
    case "write":
      return strictest(judgeTouched(access.path, ground), allow("it changes a file of the project"));
    case "command":
      return judgeCommand(access, subjects, ground);
    case "external":
      return access.destructiveHint
        ? ask(`${access.name} says that it destroys`)
        : open(`${access.name} is another program's`);
    case "fetch":
      return ask(`${access.url} is on another machine`);
    case "spawn":
      return open(`it starts the agent ${access.agent}`);
    case "note":
    case "ask-user":
    case "enter-plan":
    case "exit-plan":
    case "invalid":
    case undefined:
      return ask("a person decides this");
  }
}
