/** Path globs of permission rules: `*`, `**`, `?`, `[…]`, `{a,b}` over forward slashes. */

/**
 * `dir/**` also matches `dir` itself, so that a rule on a folder's content holds for a search of that folder. `base` stands
 * before the glob and is taken literally, as is a glob that makes no sense.
 */
export function globToRegExp(glob: string, base = ""): RegExp {
  let source = "";
  let depth = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob[at]!;
    if (glob.startsWith("/**/", at)) {
      source += "/(?:.*/)?";
      at += 3;
    } else if (glob.startsWith("/**", at) && at + 3 === glob.length) {
      source += "(?:/.*)?";
      at += 2;
    } else if (glob.startsWith("**", at)) {
      source += ".*";
      at += 1;
    } else if (char === "*") source += "[^/]*";
    else if (char === "?") source += "[^/]";
    else if (char === "{" && glob.indexOf("}", at) > at) {
      source += "(?:";
      depth += 1;
    } else if (char === "}" && depth > 0) {
      source += ")";
      depth -= 1;
    } else if (char === "," && depth > 0) source += "|";
    else if (char === "[" && glob.indexOf("]", at + 2) > at) {
      const end = glob.indexOf("]", at + 2);
      source += `[${glob
        .slice(at + 1, end)
        .replace(/^!/, "^")
        .replaceAll("\\", "\\\\")}]`;
      at = end;
    } else source += char.replace(/[\\^$.|+()[\]{}]/, "\\$&");
  }
  const literal = escape(base + glob);
  return compile(depth === 0 ? escape(base) + source : literal) ?? new RegExp(`^${literal}$`, "su");
}

function compile(source: string): RegExp | null {
  try {
    return new RegExp(`^${source}$`, "su");
  } catch {
    return null;
  }
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
