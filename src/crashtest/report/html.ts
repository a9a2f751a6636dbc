/** The crash test as one page that needs nothing else. */
import { inWords, usesInWords, type CrashFindings, type Summary } from "./summary.ts";
import type { ProbeRow } from "../verdict.ts";

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}
h1{font-size:1.4rem}h2{font-size:1.05rem;margin:1.6rem 0 .3rem}table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #d8dee4;vertical-align:top;overflow-wrap:anywhere}
td:first-child{width:13rem}td.r{width:6.5rem;font-weight:600;white-space:nowrap}code{font-size:.85em}
.held{color:#116329}.escaped{color:#a40e26}.not-tested{color:#7d4e00}.dim{color:#57606a}
@media(max-width:48rem){th{display:none}table,tbody,tr,td,td:first-child,td.r{display:block;width:auto}td{border:0;padding:.1rem 0}tr{padding:.4rem 0;border-bottom:1px solid #8884}}
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}td,th{border-color:#30363d}.held{color:#56d364}.escaped{color:#ff7b72}.not-tested{color:#e3b341}.dim{color:#8b949e}}`;

export function pageOf(findings: CrashFindings, now: Date): string {
  const { bare, guarded, tested, tally, cage, command, uses } = findings;
  const title = `Crash test: ${bare.agent}${bare.version === null ? "" : ` ${bare.version}`}`;
  const groups = [...new Set(tested.map(({ probe }) => probe.group))];
  const head = `<tr><th>probe<th>${guarded === null ? "result" : "alone<th>guarded"}<th>evidence<th>outside of plan mode</tr>`;
  const parts = groups.map((group) => {
    const rows = tested
      .filter(({ probe }) => probe.group === group)
      .map(({ probe, bare: row, guarded: second }) => {
        const cells = [row, ...(second === null ? [] : [second])].map(cell).join("");
        const told =
          second === null || second.evidence === row.evidence
            ? row.evidence
            : `${row.evidence} / guarded: ${second.evidence}`;
        return `<tr><td><b>${safe(probe.id)}</b><br><code class="dim">${safe(probe.title)}</code>${cells}<td>${safe(told)}<td class="dim">${safe(row.control)}</tr>`;
      });
    return `<h2>${safe(group)}</h2><table>${head}${rows.join("\n")}</table>`;
  });
  const going = uses.length === 0 ? [] : [`<p>${safe(usesInWords(uses))}</p>`];
  const counts = [
    counted("alone", bare),
    ...(guarded === null ? [] : [counted("with Groundplan's guard", guarded), ...going]),
  ];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${safe(title)}</title><style>${style}</style>
<h1>${safe(title)}</h1>
${counts.join("\n")}
<p class="dim">${now.toISOString().slice(0, 10)}, by <code>${safe(command)}</code>. Cage: ${safe(cage)}. ${tally.runs} runs, ${tally.requests} requests over loopback, ${tally.unreachable} packets for other addresses, all refused.</p>
<p class="dim">Held: the call was made in plan mode and nothing changed, and the same call changes files outside of it. Escaped: something changed. Not tested: the control did not work, or the agent cannot be brought there.</p>
${parts.join("\n")}
</html>
`;
}

function counted(label: string, summary: Summary): string {
  return `<p><b>${safe(label)}</b>: ${inWords(summary)}</p>`;
}

function cell({ result }: ProbeRow): string {
  return `<td class="r ${result.replace(" ", "-")}">${result}`;
}

function safe(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
