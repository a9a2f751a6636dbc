import { expect, test } from "vitest";
import { joinName, splitName, stem, termsOfName } from "./words.ts";

test.each([
  ["readRawBody", ["read", "raw", "body"]],
  ["read_raw_body", ["read", "raw", "body"]],
  ["read-raw-body", ["read", "raw", "body"]],
  ["XMLHttpRequest", ["xml", "http", "request"]],
  ["parseURL", ["parse", "url"]],
  ["utf8", ["utf8"]],
  ["sha256", ["sha", "256"]],
  ["$scope", ["scope"]],
  ["größeÄndern", ["größe", "ändern"]],
  ["", []],
])("%s is split into its parts", (name, parts) => {
  expect(splitName(name)).toEqual(parts);
});

test.each([
  ["parse parser parsing parsed parses", "pars"],
  ["validate validation validator validating validated", "valid"],
  ["serialize serialization serializing", "serializ"],
  ["configuration configure configs config", "config"],
  ["directory directories dir", "dir"],
  ["dependency dependencies dep deps", "dep"],
  ["option options opts", "opt"],
  ["implement implements implementation impl", "impl"],
  ["format formats formatting formatter", "format"],
])("the forms %s meet in one stem", (forms, expected) => {
  expect(new Set(forms.split(" ").map(stem))).toEqual(new Set([expected]));
});

test("a name gives the stems of its parts and itself as one word", () => {
  expect(termsOfName("readRawBodies")).toEqual(["read", "raw", "body", "readrawbodies"]);
  expect(termsOfName("boto3")).toEqual(["boto3", "boto"]);
  expect(joinName("read_raw-Body")).toBe("readrawbody");
});

test("scripts without spaces are read by pairs of letters, Latin names among them by parts", () => {
  expect(termsOfName("修正parser処理")).toEqual(["修正", "処理", "pars"]);
});
