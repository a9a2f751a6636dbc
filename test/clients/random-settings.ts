/** Random settings texts of other agents: comments, foreign hooks, odd blanks, CRLF, commas at the end of lists. */

export interface RandomSettings {
  readonly settings: () => string;
}

export function numbers(seed: number): RandomSettings {
  let state = seed * 2654435761;
  let comments = 0;
  const below = (limit: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state % limit;
  };
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
  const eol = pick(["\n", "\r\n"]);
  const style = pick(["tidy", "tidy", "odd", "line"]);
  const hasComments = style !== "line" && below(2) === 0;
  const unit = pick(["  ", "    ", "\t", " ", "   "]);

  const comment = (): string => {
    if (!hasComments || below(4) > 0) return "";
    comments += 1;
    return below(2) === 0 ? ` /* c${comments} */` : ` // c${comments}${eol}`;
  };
  const gap = (depth: number): string => {
    if (style === "line") return pick(["", " "]);
    if (style === "tidy") return `${eol}${unit.repeat(depth)}`;
    return pick(["", " ", `${eol}${unit.repeat(depth)}`, `${eol}${eol}`, `${eol}\t `]);
  };
  const list = (parts: readonly string[], depth: number, [open, close]: readonly [string, string]): string => {
    if (parts.length === 0) return open + (below(3) === 0 ? gap(depth) + comment() : "") + close;
    const inner = parts.map((part) => gap(depth + 1) + comment() + part + comment());
    const last = hasComments && below(4) === 0 ? "," : "";
    return `${open}${inner.join(",")}${last}${gap(depth)}${close}`;
  };
  const object = (parts: readonly (readonly [string, string])[], depth: number): string => {
    const colon = style === "tidy" ? ": " : pick([":", ": ", " : "]);
    return list(
      parts.map(([key, value]) => `${JSON.stringify(key)}${colon}${value}`),
      depth,
      ["{", "}"],
    );
  };
  const plain = (depth: number): string => {
    const kind = below(depth > 3 ? 3 : 5);
    if (kind === 0) return pick(["1", "true", "null", "-1.5e3"]);
    if (kind < 3) return JSON.stringify(pick(["x", "// no comment", "/* none */", "ü {[,]}", 'a"b\\', "\u2028"]));
    if (kind === 3)
      return list(
        Array.from({ length: below(3) }, () => plain(depth + 1)),
        depth,
        ["[", "]"],
      );
    return object(
      Array.from({ length: below(3) }, (_, index) => [`k${index}`, plain(depth + 1)] as const),
      depth,
    );
  };
  const group = (depth: number): string => {
    const handler = object(
      [
        ["type", '"command"'],
        ["command", JSON.stringify(pick(["true", "guard hook", "/bin/guard"]))],
      ],
      depth + 2,
    );
    return object(
      [
        ["matcher", '"*"'],
        ["hooks", list(below(3) === 0 ? [] : [handler], depth + 1, ["[", "]"])],
      ],
      depth,
    );
  };
  const event = (): string =>
    list(
      Array.from({ length: below(3) }, () => group(3)),
      2,
      ["[", "]"],
    );
  const hooks = (): string => {
    const names = ["PreToolUse", "Stop", "Notification", "SessionEnd"].filter(() => below(2) === 0);
    return object(
      names.map((name) => [name, event()] as const),
      1,
    );
  };
  return {
    settings() {
      if (below(30) === 0) return pick(["", "\n", "{}", "{ }", `{${eol}}`, `{}${eol}`]);
      const own = Array.from({ length: below(4) }, (_, index) => [`s${index}`, plain(1)] as const);
      const all = below(3) === 0 ? own : [...own.slice(0, 1), ["hooks", hooks()] as const, ...own.slice(1)];
      return `${comment()}${object(all, 0)}${pick(["", eol, `${eol}${eol}`, comment()])}`;
    },
  };
}
