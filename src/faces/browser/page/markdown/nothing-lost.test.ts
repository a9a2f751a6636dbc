import { expect, test } from "vitest";
import { inlineTokens, parsePlan, type Node } from "./parse.ts";

/** Everything that is put on the page of a block: words, code, languages, addresses and titles. */
function shownIn({ token, children }: Node): string {
  const leaves = inlineTokens(token).map(
    (leaf) =>
      `${leaf.content} ${String(leaf.attrGet("href"))} ${String(leaf.attrGet("src"))} ${String(leaf.attrGet("title"))}`,
  );
  const own = token.type === "inline" ? "" : `${token.content} ${token.info}`;
  return [own, ...leaves, ...children.map(shownIn)].join(" ");
}

const pieces = [
  ...'\n|\n\n|\n\n\n|> |>> |- |  - |1. |    |\t|# |###### |```|```js |~~~|`|``|*|**|_|~~|[|](|)|](<|>)|][|]: |[^|![| "|"|\'|(|\\|&amp;|&#x202e;|<!--|-->|<div>|</div>|***|---|===|:-:|| a ||---||- [ ] |- [x] |  \n|\\\n|https://x.example/|#|!|<https://x.example/'
    .split("|")
    .map((piece) => (piece === "" ? "|" : piece)),
  "| a | b |\n|---|---|\n",
  "[x]: ",
  "\n[y]: <",
];

test("B2.5 whatever a plan is made of, each of its words is on the page", () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  for (let round = 0; round < 4000; round += 1) {
    const words: string[] = [];
    let text = "";
    for (let length = 2 + random(24); length > 0; length -= 1) {
      text += pieces[random(pieces.length)]!;
      if (random(3) > 0) continue;
      words.push(`w${words.length}q`);
      text += words.at(-1)!;
    }
    const shown = parsePlan(text).map(shownIn).join(" ");
    const lost = words.filter((word) => !shown.includes(word));
    expect({ text, lost }).toEqual({ text, lost: [] });
  }
});
