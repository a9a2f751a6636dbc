import { expect, test } from "vitest";
import { makeVocabulary } from "./vocabulary.ts";

test("words are counted by their terms, whatever their case and script", () => {
  const vocabulary = makeVocabulary();
  const { length, terms, counts } = vocabulary.count(Buffer.from("readBody(read_body); // größe 42 größe x"));
  const found = Object.fromEntries(Array.from(terms, (id, at) => [vocabulary.words[id], counts[at]]));
  expect({ length, found }).toEqual({ length: 4, found: { read: 2, body: 2, readbody: 2, größe: 2 } });
});

test("known words keep their numbers and new ones follow", () => {
  const vocabulary = makeVocabulary(["body", "read"]);
  expect([vocabulary.idsOf("read"), vocabulary.idsOf("lantern")]).toEqual([[1], [2]]);
});

test("more names than the table holds are still counted right", () => {
  const vocabulary = makeVocabulary();
  const many = Array.from(
    { length: 450_000 },
    (_, at) => `n${at.toString(26).replace(/\d/g, (digit) => "zyxwvutsrq"[Number(digit)]!)}k`,
  );
  vocabulary.count(Buffer.from(many.join(" ")));
  const { terms, counts } = vocabulary.count(Buffer.from("lantern lantern"));
  expect([Array.from(terms, (id) => vocabulary.words[id]), [...counts]]).toEqual([["lantern"], [2]]);
});

test("a word more often than a byte can hold counts as the most", () => {
  const { counts } = makeVocabulary().count(Buffer.from("word ".repeat(100_000)));
  expect([...counts]).toEqual([255]);
});

test("hashes are not words", () => {
  const vocabulary = makeVocabulary();
  vocabulary.count(Buffer.from("d41d8cd98f00b204e9800998ecf8427e parser utf8 sha256sum"));
  expect(vocabulary.words).toEqual(["pars", "utf8", "utf", "sha", "sum", "sha256sum"]);
});
