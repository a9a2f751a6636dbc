/** The completion of our command line for bash, from 3.2 on. */
import { askedOf, listOf, type CompletionOption, type CompletionPlace } from "./places.ts";

export function bashCompletion(places: readonly CompletionPlace[]): string {
  const known = places.filter(({ at }) => at !== "").map(({ at }) => `"${at}"`);
  return `# Completion of groundplan for bash. Made by: groundplan completion bash
_groundplan() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" place="" number
  COMPREPLY=()
  for ((number = 1; number < COMP_CWORD; number++)); do
    [ "\${COMP_WORDS[number]}" = "--" ] && return
  done
  if [ "$current" = "=" ]; then current=""
  elif [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for number in 1 2; do
    [ "$number" -lt "$COMP_CWORD" ] || break
    case "\${place:+$place }\${COMP_WORDS[number]}" in
      ${known.join(" | ")}) place="\${place:+$place }\${COMP_WORDS[number]}" ;;
      *) break ;;
    esac
  done
  case "$place:$before" in
${places.flatMap(valueCases).join("\n")}
  esac
  case "$place:$current" in
${places.map(optionCase).join("\n")}
  esac
  case "$place" in
${places.flatMap(wordCases).join("\n")}
  esac
}
_groundplan_files() {
  local IFS=$'\\n' number
  COMPREPLY=($(compgen "$1" -- "$2"))
  compopt -o filenames 2>/dev/null && return
  for number in "\${!COMPREPLY[@]}"; do COMPREPLY[number]=$(printf %q "\${COMPREPLY[number]}"); done
}
_groundplan_ask() {
  COMPREPLY=($(compgen -W "$("$1" completion-words "$2" 2>/dev/null </dev/null | cut -f1)" -- "$3"))
}
complete -F _groundplan groundplan
`;
}

function valueCases({ at, options }: CompletionPlace): readonly string[] {
  return options
    .filter(({ value }) => value !== null)
    .map((option) => `    ${patternOf(at, option)}) ${offer(option.value)} return ;;`);
}

function patternOf(at: string, { long, short }: CompletionOption): string {
  return [`--${long}`, ...(short === null ? [] : [`-${short}`])].map((name) => `"${at}:${name}"`).join("|");
}

function optionCase({ at, options }: CompletionPlace): string {
  return `    "${at}:-"*) ${offer(options.map(({ long }) => `--${long}`))} return ;;`;
}

/** The first words of the line; later ones are a task. */
function wordCases({ at, next, takes }: CompletionPlace): readonly string[] {
  const depth = at === "" ? 1 : at.split(" ").length + 1;
  if (next.length > 0)
    return [`    "${at}") [ "$COMP_CWORD" -ne ${depth} ] || { ${offer(next.map(({ word }) => word))} } ;;`];
  return takes === null ? [] : [`    "${at}") ${offer(takes)} ;;`];
}

function offer(kind: CompletionOption["value"]): string {
  const [list, asked] = [listOf(kind), askedOf(kind)];
  if (list !== null) return `COMPREPLY=($(compgen -W "${list.join(" ")}" -- "$current"));`;
  if (asked !== null) return `_groundplan_ask "$1" ${asked} "$current";`;
  if (kind === "file" || kind === "folder") return `_groundplan_files ${kind === "file" ? "-f" : "-d"} "$current";`;
  return "";
}
