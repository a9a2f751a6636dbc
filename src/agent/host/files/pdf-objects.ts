/** The objects of a PDF, as far as text needs them: dictionaries as they are written, streams unpacked. */
import { constants, inflateSync } from "node:zlib";

export interface PdfObject {
  readonly dictionary: string;
  readonly stream: string | null;
}

/** Bytes as characters, one each. Null: encrypted, or nothing that can be understood. */
export function pdfObjects(bytes: Uint8Array): ReadonlyMap<number, PdfObject> | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (/\/Encrypt\s+\d+\s+\d+\s+R/.test(text)) return null;
  const objects = new Map<number, PdfObject>();
  let room = mostUnpacked;
  for (const match of text.matchAll(/(?<!\d)(\d{1,10})\s{1,9}\d{1,5}\s{1,9}obj\b/g)) {
    const from = match.index + match[0].length;
    const end = text.indexOf("endobj", from);
    if (end < 0) break;
    const body = text.slice(from, end);
    const at = /\bstream\r?\n/.exec(body);
    const dictionary = body.slice(0, Math.min(at?.index ?? body.length, longestDictionary));
    const packed = at === null ? null : body.slice(at.index + at[0].length, body.lastIndexOf("endstream"));
    const stream = packed === null || room <= 0 ? null : unpack(packed, dictionary);
    room -= stream?.length ?? 0;
    objects.set(Number(match[1]), { dictionary, stream });
  }
  const packs = [...objects.values()].filter(({ dictionary }) => /\/Type\s{0,9}\/ObjStm/.test(dictionary));
  for (const pack of packs) addPacked(pack, objects);
  return objects.size === 0 ? null : objects;
}

const longestDictionary = 65_536;
const mostUnpacked = 64 * 1024 * 1024;

function unpack(packed: string, dictionary: string): string | null {
  if (/\/Subtype\s*\/Image|\/FontFile|\/Length1\b|\/Type\s*\/XRef/.test(dictionary)) return null;
  const named = /\/Filter\s{0,9}(?:\[([^\]]*)\]|(\/\w+))/.exec(dictionary);
  const filter = (named?.[1] ?? named?.[2])?.trim();
  if (filter === undefined) return packed;
  if (!/^\/(FlateDecode|Fl)$/.test(filter)) return null;
  try {
    const options = { maxOutputLength: 8 * 1024 * 1024, finishFlush: constants.Z_SYNC_FLUSH };
    return inflateSync(Buffer.from(packed, "latin1"), options).toString("latin1");
  } catch {
    return null;
  }
}

/** Objects that stand inside a stream: a table of numbers and places, then the objects. */
function addPacked({ dictionary, stream }: PdfObject, objects: Map<number, PdfObject>): void {
  const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1] ?? Number.NaN);
  if (stream === null || Number.isNaN(first)) return;
  const table = stream.slice(0, first).trim().split(/\s+/).map(Number);
  for (let at = 0; at + 1 < table.length; at += 2) {
    const end = table[at + 3];
    const body = stream.slice(first + table[at + 1]!, end === undefined ? undefined : first + end);
    if (!objects.has(table[at]!)) objects.set(table[at]!, { dictionary: body, stream: null });
  }
}
