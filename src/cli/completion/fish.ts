/** The completion of our command line for fish. */
import { askedOf, listOf, type CompletionOption, type CompletionPlace } from "./places.ts";

export function fishCompletion(places: readonly CompletionPlace[]): string {
  const known = places.filter(({ at }) => at !== "").map(({ at }) => `"${at}"`);
  return `# Completion of groundplan for fish. Made by: groundplan completion fish
function __groundplan_place
    set -l words (commandline -opc)
    set -e words[1]
    set -l place
    for word in $words
        contains -- (string join " " -- $place $word) ${known.join(" ")}; or break
        set -a place $word
    end
    string join " " -- $place
end
function __groundplan_at
    test (__groundplan_place | string collect --allow-empty) = "$argv[1]"
end
function __groundplan_first
    test (count (commandline -opc)) -eq $argv[2]; and __groundplan_at $argv[1]
end
function __groundplan_ask
    set -l program (commandline -opc)[1]
    $program completion-words $argv[1] 2>/dev/null </dev/null
end
complete -c groundplan -f
${places.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ at, next, options, takes }: CompletionPlace): readonly string[] {
  const here = `-n ${quoted(`__groundplan_at "${at}"`)}`;
  const depth = at === "" ? 1 : at.split(" ").length + 1;
  return [
    ...next.map(
      ({ word, says }) =>
        `complete -c groundplan -n ${quoted(`__groundplan_first "${at}" ${depth}`)} -a ${word}${says === "" ? "" : ` -d ${quoted(says)}`}`,
    ),
    ...(takes === null ? [] : [`complete -c groundplan ${here} ${offer(takes)}`]),
    ...options.map((option) => `complete -c groundplan ${here} ${optionText(option)}`),
  ];
}

function optionText({ long, short, value }: CompletionOption): string {
  const name = [...(short === null ? [] : [`-s ${short}`]), `-l ${long}`].join(" ");
  return value === null ? name : `${name} ${["-r", offer(value)].filter((part) => part !== "").join(" ")}`;
}

function offer(kind: CompletionOption["value"]): string {
  const [list, asked] = [listOf(kind), askedOf(kind)];
  if (list !== null) return `-f -a ${quoted(list.join(" "))}`;
  if (asked !== null) return `-f -k -a '(__groundplan_ask ${asked})'`;
  if (kind === "folder") return "-f -a '(__fish_complete_directories (commandline -ct))'";
  return kind === "file" ? "-F" : "-f";
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
