/** `groundplan completion <shell>`: what makes a shell complete our command line, to be loaded by it. */
import { answer, type Command, type CommandRow } from "../command.ts";
import { complain } from "../complaint.ts";
import { nearest } from "../../core/nearest.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { placesOf, type CompletionPlace } from "../completion/places.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { commandWith } from "../options.ts";

const usage = `groundplan completion <shell>    what makes bash, zsh or fish complete this command line
  bash: in ~/.bashrc     eval "$(groundplan completion bash)"
  zsh:  in ~/.zshrc      eval "$(groundplan completion zsh)"       after compinit
  fish: once             groundplan completion fish > ~/.config/fish/completions/groundplan.fish
It completes commands, options, their values, plans and sessions of the project.
`;

const shells: Readonly<Record<string, (places: readonly CompletionPlace[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export function completionOf(table: readonly CommandRow[]): Command {
  const words = { takes: Object.keys(shells) };
  return commandWith({ name: "completion", usage, options: {}, words }, async ({ positionals }, streams) => {
    const [name = "", ...more] = positionals;
    const make = shells[name];
    if (make !== undefined && more.length === 0) return answer(streams, make(await placesOf(table)).trimEnd());
    const near = nearest(name, words.takes);
    const meant = near === null ? "" : ` Did you mean ${near}?`;
    return complain(streams, `completion takes one of ${words.takes.join(", ")}.${meant}`, 2);
  });
}
