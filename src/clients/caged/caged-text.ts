/** Another agent's command as one for our cage: the text by which the agent's shell starts it, and what is in such a text. */
import { isAbsolute } from "node:path";
import { isObject, parseJson } from "../../core/wire/shape.ts";

export interface CagedText {
  readonly command: string;
  /** Absolute, as is the project. */
  readonly directory: string;
  /** The project whose rules hold, where the command runs elsewhere. */
  readonly project?: string;
}

/** More does not fit into one argument of a program together with what clients put around it. */
export const mostOfCaged = 100_000;

/**
 * The text for the agent's shell; null where the command is too long for it. bash, sh, zsh and fish read it the same:
 * two words with nothing to expand and an absolute path, so that no alias and no PATH has a say. (A bash function can
 * bear any name, this path too; whoever can define one in the person's shell can write the launcher as well.)
 */
export function cagedCommand({ launcher, ...caged }: CagedText & { readonly launcher: string }): string | null {
  const packed = packCaged(caged);
  return packed.length > mostOfCaged ? null : `${quoted(launcher)} run-caged ${packed}`;
}

export function packCaged({ command, directory, project = directory }: CagedText): string {
  const caged = { command, directory, ...(project === directory ? {} : { project }) };
  return Buffer.from(JSON.stringify(caged), "utf8").toString("base64url");
}

/** In single quotes; a quote and a backslash, which fish reads otherwise there, in double ones. */
function quoted(word: string): string {
  return `'${word.replaceAll(/['\\]/g, (sign) => (sign === "'" ? `'"'"'` : `'"\\\\"'`))}'`;
}

/** Null unless it is exactly what `packCaged` makes. */
export function unpackCaged(packed: string): CagedText | null {
  if (packed.length > mostOfCaged || !/^[\w-]+$/.test(packed)) return null;
  const found = parseJson(Buffer.from(packed, "base64url").toString("utf8"));
  if (!isObject(found)) return null;
  const { command, directory, project } = found;
  if (!isWhole(command) || !isWhole(directory) || !isAbsolute(directory)) return null;
  if (project !== undefined && !(isWhole(project) && isAbsolute(project))) return null;
  const caged = { command, directory, ...(project === undefined ? {} : { project }) };
  return packCaged(caged) === packed ? caged : null;
}

/** No program takes a NUL, and no bytes stand for half of a character. */
function isWhole(value: unknown): value is string {
  return typeof value === "string" && /^[^\0\p{Surrogate}]+$/u.test(value);
}
