/** How many columns a real terminal emulator gives a line: a measure that is not our own. */
import headless from "@xterm/headless";

/** For lines of less than 1000 columns. */
export async function xtermColumns(lines: readonly string[]): Promise<readonly number[]> {
  const terminal = new headless.Terminal({ cols: 1000, rows: 4, allowProposedApi: true });
  const columns: number[] = [];
  terminal.onData((report) => columns.push(Number(/;(\d+)R$/.exec(report)?.[1] ?? NaN) - 1));
  const asked = lines.map((line) => `\r\u001B[K${line}\u001B[6n`).join("");
  await new Promise<void>((resolve) => terminal.write(asked, resolve));
  terminal.dispose();
  return columns;
}
