/** Text out of simple PDFs: Flate streams, literal strings, fonts that say what their codes mean. */
import { pdfObjects, type PdfObject } from "./pdf-objects.ts";

/** Null: scanned, encrypted, or with fonts whose codes nobody can tell. */
export function pdfText(bytes: Uint8Array): string | null {
  const objects = pdfObjects(bytes);
  if (objects === null) return null;
  const fonts = fontsOf(objects);
  const pages = [...objects.values()].flatMap(({ stream }) =>
    stream !== null && /\bBT\b/.test(stream) && /T[jJ]\b|['"]/.test(stream) ? [textOfPage(stream, fonts)] : [],
  );
  const text = pages.filter((page) => page !== "").join("\n\n");
  return isReadable(text) ? text : null;
}

/** What a font's codes stand for; `width` is the number of bytes of a code. */
interface Font {
  readonly width: 1 | 2;
  readonly characters: ReadonlyMap<number, string> | null;
}

/** By the names that pages call them; where two pages use one name for two fonts, the first counts. */
function fontsOf(objects: ReadonlyMap<number, PdfObject>): ReadonlyMap<string, Font> {
  const fonts = new Map<string, Font>();
  for (const { dictionary } of objects.values()) {
    for (const [, name, number] of dictionary.matchAll(/\/([\w.+-]+)\s+(\d+)\s+\d+\s+R/g)) {
      const font = objects.get(Number(number))?.dictionary;
      if (fonts.has(name!) || font === undefined || !/\/Type\s*\/Font\b(?!Desc)/.test(font)) continue;
      const map = /\/ToUnicode\s+(\d+)/.exec(font)?.[1];
      const stream = map === undefined ? null : (objects.get(Number(map))?.stream ?? null);
      const width = /\/Subtype\s*\/Type0/.test(font) ? 2 : 1;
      fonts.set(name!, { width, characters: stream === null ? null : charactersOf(stream) });
    }
  }
  return fonts;
}

function charactersOf(map: string): ReadonlyMap<number, string> {
  const characters = new Map<number, string>();
  for (const [, section] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, code, text] of section!.matchAll(/<([\da-f]+)>\s*<([\da-f]+)>/gi)) {
      characters.set(parseInt(code!, 16), utf16(text!));
    }
  }
  for (const [, section] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    const rows = section!.matchAll(/<([\da-f]+)>\s*<([\da-f]+)>\s*(?:<([\da-f]+)>|\[([^\]]*)\])/gi);
    for (const [, from, to, start, list] of rows) {
      const first = parseInt(from!, 16);
      const last = Math.min(parseInt(to!, 16), first + 0xffff);
      const texts = list?.match(/[\da-f]+/gi);
      for (let code = first; code <= last; code += 1) {
        const text =
          texts === undefined || texts === null ? shifted(start ?? "", code - first) : utf16(texts[code - first] ?? "");
        characters.set(code, text);
      }
    }
  }
  return characters;
}

function utf16(hex: string): string {
  return (hex.match(/.{4}/g) ?? []).map((unit) => String.fromCharCode(parseInt(unit, 16))).join("");
}

function shifted(hex: string, by: number): string {
  const text = utf16(hex);
  return text === "" ? "" : text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + by);
}

const operators =
  /\/([\w.+-]{1,60})\s{1,9}[\d.-]{1,20}\s{1,9}Tf|(\((?:[^()\\]|\\[\s\S]|\((?:[^()\\]|\\[\s\S]){0,500}\)){0,4000}\))|<([\da-fA-F\s]{1,8000})>|(-?[\d.]{1,20})|([[\]])|\b(Td|TD|T\*|Tm|ET)\b|(['"])/g;

function textOfPage(stream: string, fonts: ReadonlyMap<string, Font>): string {
  const parts: string[] = [];
  let font: Font = { width: 1, characters: null };
  let isInArray = false;
  let isBroken = true;
  const write = (text: string): void => {
    if (text === "") return;
    parts.push(text);
    isBroken = false;
  };
  for (const [, name, literal, hex, gap, bracket, move, quote] of stream.matchAll(operators)) {
    if (name !== undefined) font = fonts.get(name) ?? { width: 1, characters: null };
    else if (literal !== undefined) write(decoded(unescaped(literal.slice(1, -1)), font));
    else if (hex !== undefined) write(decoded(Buffer.from(hex.replace(/\s/g, ""), "hex").toString("latin1"), font));
    else if (bracket !== undefined) isInArray = bracket === "[";
    else if (gap !== undefined && isInArray && Number(gap) < -180 && !parts.at(-1)?.endsWith(" ")) write(" ");
    else if ((move !== undefined || quote !== undefined) && !isBroken) {
      parts.push("\n");
      isBroken = true;
    }
  }
  return parts.join("").trim();
}

function decoded(codes: string, { width, characters }: Font): string {
  if (characters === null) return width === 1 ? codes : "";
  let text = "";
  for (let at = 0; at < codes.length; at += width) {
    const code = width === 1 ? codes.charCodeAt(at) : codes.charCodeAt(at) * 256 + codes.charCodeAt(at + 1);
    text += characters.get(code) ?? "";
  }
  return text;
}

function unescaped(text: string): string {
  return text.replace(/\\(\r\n|[0-7]{1,3}|[\s\S])/g, (_, mark: string) => {
    if (/^[0-7]/.test(mark)) return String.fromCharCode(parseInt(mark, 8) & 255);
    if (/^[\r\n]/.test(mark)) return "";
    return escapes[mark] ?? mark;
  });
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** Codes of a font that nobody explains come out as noise: better nothing. */
function isReadable(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const noise = text.match(/[\p{Cc}\p{Co}\p{Cn}\uFFFD]/gu)?.filter((char) => !/\s/.test(char)).length ?? 0;
  return letters > 0 && noise * 10 < letters;
}
