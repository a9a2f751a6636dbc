/** Names of files: the short form by which others speak of them, and whether one tests another. */
import { posix } from "node:path";
import { kindOf } from "../look/kinds.ts";
import { bareName, folderOf, isIndex } from "../look/paths.ts";
import { subjectName } from "./subjects.ts";

/** The name without folders and ending; a folder's index file is called like its folder. */
export function shortFormOf(path: string): string {
  const name = bareName(path);
  const folder = posix.basename(folderOf(path));
  return isIndex(name) && folder !== "" ? folder : name;
}

export function isTest(path: string): boolean {
  return kindOf(path) === "test" && !/\.(?:md|mdx|rst|txt|jsonl?|ya?ml|toml|html?|csv|xml|snap)$/i.test(path);
}

/** Whether cases stand in it, and not what tests only lean on. */
export function hasCases(path: string): boolean {
  if (!isTest(path)) return false;
  return /(?:^|[._-])(?:tests?|spec|cy|e2e)(?=[._-])|(?:Tests?|Spec|TestCase)\.\w+$/.test(posix.basename(path));
}

/** Whether the path is a test that bears the name of that source. */
export function testsByName(test: string, source: string): boolean {
  if (!isTest(test) || posix.extname(test) !== posix.extname(source)) return false;
  if (posix.basename(test) === posix.basename(source)) return false;
  const subject = subjectName(test);
  const own = bareName(source).toLowerCase();
  if (subject === own && isIndex(own)) return posix.dirname(test) === posix.dirname(source);
  return subject === shortFormOf(source).toLowerCase();
}

/** Whether the path is this file, or lies in this folder. */
export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`) || path.endsWith(`/${place}`);
}

/** The folder that stands for a part of the project: its first two steps. */
export function areaOf(path: string): string {
  return folderOf(path).split("/").slice(0, 2).join("/");
}

export function clipped(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text;
}

/** In code marks, safe to show: no control characters, no marks of its own. */
export function coded(text: string): string {
  return `\`${text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069`]/g, "�")}\``;
}
