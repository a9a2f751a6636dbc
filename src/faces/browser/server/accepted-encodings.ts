/** Which encodings a client takes by its Accept-Encoding; a quality of 0 refuses, `*` stands for those that are not named. */

export function acceptedEncodings(header: string | readonly string[] | undefined): { has(encoding: string): boolean } {
  const named = new Map<string, boolean>();
  for (const part of String(header ?? "").split(",")) {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
    if (name === "") continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    named.set(name, quality === undefined || Number(quality.slice(2)) > 0);
  }
  return { has: (encoding) => named.get(encoding) ?? named.get("*") ?? false };
}
