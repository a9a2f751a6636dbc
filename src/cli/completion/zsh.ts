/** The completion of our command line for zsh. */
import { askedOf, listOf, type CompletionOption, type CompletionPlace, type NamedWord } from "./places.ts";

export function zshCompletion(places: readonly CompletionPlace[]): string {
  const known = places.filter(({ at }) => at !== "").map(({ at }) => `"${at}"`);
  return `#compdef groundplan
# Completion of groundplan for zsh. Made by: groundplan completion zsh
_groundplan() {
  local place="" before="$words[CURRENT-1]" current="$words[CURRENT]" number next
  local -a offered
  (( \${words[(i)--]} < CURRENT )) && return 1
  for number in 2 3; do
    (( number < CURRENT )) || break
    next="\${place:+$place }$words[number]"
    case "$next" in
      (${known.join("|")}) place="$next" ;;
      (*) break ;;
    esac
  done
  if [[ "$current" == --*=* ]]; then
    before="\${current%%=*}"
    compset -P 1 '*='
    current="\${current#*=}"
  fi
  case "$place:$before" in
${places.flatMap(valueCases).join("\n")}
  esac
  case "$place:$current" in
${places.map(optionCase).join("\n")}
  esac
  case "$place" in
${places.flatMap(wordCases).join("\n")}
  esac
  return 1
}
_groundplan_ask() {
  local -a offered
  offered=("\${(@f)$("$1" completion-words "$2" 2>/dev/null </dev/null | sed -e 's/:/\\\\:/g' -e $'s/\\t/:/')}")
  [[ -n "$offered" ]] && _describe -V "$2" offered
}
if [[ "$funcstack[1]" = "_groundplan" ]]; then _groundplan "$@"; else compdef _groundplan groundplan; fi
`;
}

function valueCases({ at, options }: CompletionPlace): readonly string[] {
  return options
    .filter(({ value }) => value !== null)
    .map((option) => `    (${patternOf(at, option)}) ${offer(option.value)} return ;;`);
}

function patternOf(at: string, { long, short }: CompletionOption): string {
  return [`--${long}`, ...(short === null ? [] : [`-${short}`])].map((name) => `"${at}:${name}"`).join("|");
}

function optionCase({ at, options }: CompletionPlace): string {
  return `    ("${at}:-"*) ${offer(options.map(({ long }) => `--${long}`))} return ;;`;
}

function wordCases({ at, next, takes }: CompletionPlace): readonly string[] {
  const depth = at === "" ? 2 : at.split(" ").length + 2;
  if (next.length > 0) return [`    ("${at}") (( CURRENT == ${depth} )) && { ${describe(next)} return } ;;`];
  return takes === null ? [] : [`    ("${at}") ${offer(takes)} return ;;`];
}

function describe(next: readonly NamedWord[]): string {
  const items = next.map(({ word, says }) => quoted(says === "" ? word : `${word}:${says.replaceAll(":", "\\:")}`));
  return `offered=(${items.join(" ")}); _describe command offered;`;
}

function offer(kind: CompletionOption["value"]): string {
  const [list, asked] = [listOf(kind), askedOf(kind)];
  if (list !== null) return `compadd -- ${list.join(" ")};`;
  if (asked !== null) return `_groundplan_ask "$words[1]" ${asked};`;
  if (kind === "file" || kind === "folder") return kind === "file" ? "_files;" : "_files -/;";
  return "";
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
