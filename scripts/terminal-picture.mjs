// Runs a program in a pty, draws its output with a terminal emulator, and gives what stands on the screen as SVG text.
import { spawn } from "node:child_process";
import headless from "@xterm/headless";

export function openTerminal({ command, cwd, env, columns, rows }) {
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn("script", ["-qfec", `stty cols ${columns} rows ${rows}; exec ${words}`, "/dev/null"], {
    cwd,
    env: { TERM: "xterm-256color", LANG: "C.UTF-8", SHELL: "/bin/sh", ...env },
  });
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  child.stdout.setEncoding("utf8").on("data", (text) => terminal.write(text));
  terminal.onData((answer) => child.stdin.write(answer));
  const text = () =>
    lines(terminal)
      .map((line) => line.map(({ text: part }) => part).join(""))
      .join("\n");
  return {
    type: (input) => child.stdin.write(input),
    rows: () => lines(terminal),
    async until(what) {
      const ended = Date.now() + 20_000;
      while (!text().includes(what)) {
        if (Date.now() > ended) throw new Error(`never shown: ${what}\n${text()}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
    },
    close() {
      child.kill("SIGKILL");
      terminal.dispose();
    },
  };
}

/** Frames one after the other, each for its time; the last one stays. */
export function animated(frames, { columns, rows, title }) {
  const width = Math.ceil(columns * cellWidth) + 32;
  const height = rows * lineHeight + 32;
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let at = 0;
  const styles = [];
  const groups = frames.map(({ lines: rowsOf, seconds }, index) => {
    const from = ((at / total) * 100).toFixed(2);
    at += seconds;
    const to = ((at / total) * 100).toFixed(2);
    const end =
      index === frames.length - 1
        ? "100%{opacity:1}"
        : `${to}%{opacity:1}${(Number(to) + 0.01).toFixed(2)}%,100%{opacity:0}`;
    const start =
      index === 0 ? "0%{opacity:1}" : `0%,${(Number(from) - 0.01).toFixed(2)}%{opacity:0}${from}%{opacity:1}`;
    styles.push(`@keyframes f${index}{${start}${end}}.f${index}{animation:f${index} ${total}s step-end infinite}`);
    return `<g class="f${index}">\n${rowsOf
      .map(row)
      .filter((line) => line !== "")
      .join("\n")}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>${styles.join("")}@media (prefers-reduced-motion:reduce){g[class]{animation:none;opacity:0}.f${frames.length - 1}{opacity:1}}</style>
<rect width="100%" height="100%" rx="8" fill="#16181d"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13.4" fill="#cdd3de" xml:space="preserve">
${groups.join("\n")}
</g>
</svg>
`;
}

const cellWidth = 8.07;
const lineHeight = 18;

function row(parts, index) {
  const y = index * lineHeight + 30;
  let column = 0;
  const spans = parts.map(({ text, colour, bold, inverse }) => {
    const shown = inverse ? text : text.trim();
    const x = (16 + (column + text.indexOf(shown)) * cellWidth).toFixed(1);
    const length = (shown.length * cellWidth).toFixed(1);
    column += text.length;
    if (shown === "") return "";
    const box = inverse ? `<rect x="${x}" y="${y - 13}" width="${length}" height="${lineHeight}" fill="#cdd3de"/>` : "";
    const fill = inverse ? ' fill="#16181d"' : colour === null ? "" : ` fill="${colour}"`;
    const weight = bold ? ' font-weight="bold"' : "";
    return `${box}<text x="${x}" y="${y}" textLength="${length}"${fill}${weight}>${escaped(shown)}</text>`;
  });
  return spans.join("");
}

/** Runs of cells that look alike. */
function lines(terminal) {
  const { active } = terminal.buffer;
  return Array.from({ length: terminal.rows }, (_, index) => {
    const line = active.getLine(active.baseY + index);
    const parts = [];
    for (let column = 0; column < terminal.cols; column += 1) {
      const cell = line?.getCell(column);
      if (cell === undefined || cell.getWidth() === 0) continue;
      const text = cell.getChars() || " ";
      const colour = cell.isFgPalette() ? palette(cell.getFgColor()) : null;
      const look = { colour, bold: cell.isBold() !== 0, inverse: cell.isInverse() !== 0 };
      const last = parts.at(-1);
      const isSame =
        last !== undefined && last.colour === look.colour && last.bold === look.bold && last.inverse === look.inverse;
      if (isSame) last.text += text;
      else parts.push({ text, ...look });
    }
    return parts;
  });
}

function palette(index) {
  const basic = ["#2e3440", "#ff8f8f", "#7ddf8f", "#ffd479", "#7cc4ff", "#d5a6ff", "#7fd7d7", "#cdd3de"];
  if (index < 16) return basic[index % 8];
  if (index >= 232) return `#${(8 + (index - 232) * 10).toString(16).padStart(2, "0").repeat(3)}`;
  const code = index - 16;
  return `#${level(Math.floor(code / 36))}${level(Math.floor(code / 6) % 6)}${level(code % 6)}`;
}

function level(value) {
  return (value === 0 ? 0 : 55 + value * 40).toString(16).padStart(2, "0");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
