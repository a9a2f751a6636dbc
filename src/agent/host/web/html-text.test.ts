import { describe, expect, test } from "vitest";
import { htmlToText } from "./html-text.ts";

const text = (html: string): string => htmlToText(html, "https://docs.example/guide/");

describe("text out of HTML", () => {
  test.each([
    ["<title>T</title><h1>One</h1><p>a <b>b</b>\n c</p><p>d</p>", "T\n\n# One\n\na b c\n\nd"],
    ["<ul><li>a<li>b <ul><li>c</li></ul></ul>", "- a\n- b\n- c"],
    [
      '<a href="../x?a=1&amp;b=2">go</a> <a href="#top">up</a> <a href="javascript:x()">js</a>',
      "[go](https://docs.example/x?a=1&b=2) up js",
    ],
    ["<script>if (a < b) { '</p>' }</script><style>p{}</style><!-- no > no --><p>yes", "yes"],
    ["<pre><code>a\n  b &lt; c</code></pre>", "```\na\n  b < c\n```"],
    ["use <code>x</code> &mdash; &#233;&#x1F600;&unknown; &nbsp;", "use `x` — é😀&unknown;"],
    ["<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a | b |\n1 | 2 |"],
    ["1 < 2 and <3", "1 < 2 and <3"],
    ["&Eacute;t&eacute; so&shy;ft &notin; &#0;", "Été soft ∉ \uFFFD"],
    ["<svg><text>no</text></svg><svg/>yes <select><option>no</select>too", "yes too"],
    ['<img alt="a > b" src=x>', "a > b"],
    ["<p>never closed <a href='/x", "never closed"],
  ])("%s", (html, expected) => {
    expect(text(html)).toBe(expected);
  });

  test.each([
    ["spaces", `<pre>${" ".repeat(1_000_000)}x`],
    ["open quotes", '<a ="'.repeat(200_000)],
    ["open tags", "<".repeat(1_000_000)],
    ["links in links", '<a href="/x">t'.repeat(100_000) + "</a>".repeat(100_000)],
    ["open elements", "<b>".repeat(600_000)],
    ["ends of nothing", "<b>".repeat(250_000) + "</i>".repeat(250_000)],
    ["comments", "<!--".repeat(300_000)],
    ["scripts", "<script>".repeat(200_000)],
  ])("a page of a million %s is read before the test's time is over", (_, html) => {
    expect(text(html).length).toBeLessThanOrEqual(html.length * 2);
  });
});
