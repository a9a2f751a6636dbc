/** How long a server asks us to wait: its headers, or the hint that Google puts into the body. */

export function retryAfterMs(headers: Readonly<Record<string, string>>, body: string, now: number): number | undefined {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact);
  const header = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000);
  const date = header === "" ? Number.NaN : Date.parse(header);
  if (Number.isFinite(date)) return Math.max(0, date - now);
  const hint = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return hint === undefined ? undefined : Math.ceil(Number(hint) * 1000);
}
