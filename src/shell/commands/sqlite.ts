/** `sqlite3`: literal queries and the dot commands that only print. */
import type { Arg } from "../args.ts";
import { noteRead, pathsOf } from "../args.ts";
import type { ShellCall, Rule } from "../call.ts";
import { parseOptions, show } from "../options.ts";
import { unproven } from "../walk.ts";

const options =
  "-readonly -header -headers -noheader -column -csv -json -line -list -html -markdown -table -box -quote -tabs -ascii -batch -bail -separator= -nullvalue= -newline= --readonly --json --csv --header --batch --column --markdown --table --box --line .";

const dots =
  /^\.(tables|schema|indexes|indices|databases|dbinfo|show|headers (on|off)|mode \w+|fullschema)( [\w%.]+)?$/;
const functions =
  /^(count|sum|avg|min|max|total|length|lower|upper|substr|substring|coalesce|ifnull|nullif|iif|round|abs|group_concat|string_agg|date|time|datetime|julianday|strftime|unixepoch|typeof|instr|replace|trim|ltrim|rtrim|printf|format|hex|quote|json|json_extract|json_each|json_array_length|json_type|row_number|rank|dense_rank|lag|lead|ntile|cast|in|values|as|on|and|or|not|exists|over|from|join|select|where|with|using|by|having|then|when|else|case|like|between|union|all|except|intersect|distinct|table_info|table_xinfo|index_list|index_info|foreign_key_list|database_list)$/;
const statement =
  /^(select|with|values|explain( query plan)? select|pragma (table_info|table_xinfo|index_list|index_info|foreign_key_list)\(|pragma database_list$)/;

export const judgeSqlite: Rule = (call) => {
  if (call.args.length === 1 && /^--?version$/.test(call.args[0]!.text ?? "")) return null;
  const parsed = parseOptions(call, options);
  if ("judgement" in parsed) return parsed;
  const [database, ...queries] = parsed.operands;
  if (database === undefined || database.text === null || queries.length === 0)
    return unproven("sqlite3 reads its commands from its input", call.span);
  if (!isUntouched(call, database, parsed.options.has("-readonly") || parsed.options.has("--readonly")))
    return unproven("sqlite3 creates files beside a database in WAL mode, even with -readonly", database.span);
  for (const query of queries) {
    const dot = query.text?.trim().startsWith(".") === true;
    const fine = query.text !== null && (dot ? dots.test(query.text.trim()) : isQuery(query.text));
    if (!fine) return unproven(`sqlite3: ${show(query)} is not known to only read`, query.span);
  }
  noteRead(database, call.walk);
  return null;
};

/** In a cage, opened as something that never changes, or read-only and known to have no write-ahead log. */
function isUntouched({ walk }: ShellCall, database: Arg, readonly: boolean): boolean {
  const { caged, plainDatabases = [] } = walk.situation;
  if (caged === true || /^file:[\w./-]+\?(mode=ro&)?immutable=1$/.test(database.text ?? "")) return true;
  const paths = pathsOf(database, walk) ?? [];
  return readonly && paths.length > 0 && paths.every((path) => plainDatabases.includes(path));
}

function isQuery(text: string): boolean {
  const plain = text.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, "''").toLowerCase();
  if (/['"`[\]\n]|--|\/\*/.test(plain.replaceAll("''", ""))) return false;
  const statements = plain
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const calls = [...plain.matchAll(/(\w+)\s*\(/g)].map((match) => match[1]!);
  const words =
    /\b(insert|update|delete|drop|alter|create|attach|detach|vacuum|reindex|replace into|into|begin|commit)\b/;
  return (
    statements.every((part) => statement.test(part) && !words.test(part)) && calls.every((name) => functions.test(name))
  );
}
