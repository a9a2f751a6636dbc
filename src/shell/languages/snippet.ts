/** The tokens of a line of Python or JavaScript; null where it cannot be told apart. */

export interface SnippetToken {
  readonly kind: "name" | "number" | "string" | "regex" | "mark";
  readonly text: string;
}

export interface SnippetGrammar {
  readonly string: RegExp;
  readonly mark: RegExp;
  /** A pattern between slashes, where no value stands before it. */
  readonly regex?: RegExp;
}

export function readSnippet(code: string, grammar: SnippetGrammar): readonly SnippetToken[] | null {
  const tokens: SnippetToken[] = [];
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(code)?.[0] ?? "";
    at += found.length;
    return found;
  };
  while (at < code.length) {
    if (take(/ +/y) !== "") continue;
    const before = tokens.at(-1);
    const open = before === undefined || /^[(,=:[!&|?{;]|^=>$/.test(before.text);
    const token = ((): SnippetToken | null => {
      const string = take(grammar.string);
      if (string !== "") return { kind: "string", text: string };
      const number = take(/\d[\w.]*/y);
      if (number !== "") return { kind: "number", text: number };
      const name = take(/[A-Za-z_$][\w$]*/y);
      if (name !== "") return { kind: "name", text: name };
      const regex = grammar.regex !== undefined && open && before?.kind !== "string" ? take(grammar.regex) : "";
      if (regex !== "") return { kind: "regex", text: regex };
      const mark = take(grammar.mark);
      return mark === "" ? null : { kind: "mark", text: mark };
    })();
    if (token === null) return null;
    tokens.push(token);
  }
  return tokens;
}

/** The text of a string without escapes; null for any other. */
export function plainString(token: SnippetToken | undefined): string | null {
  return token?.kind === "string" ? (/^(['"])([^\\'"]*)\1$/.exec(token.text)?.[2] ?? null) : null;
}
