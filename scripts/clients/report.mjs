// The table of the clients: for a terminal, for the documents, and what fails.

export function textOf({ title, skipped, rows, stories = [], leftOut = "" }, verbose) {
  if (skipped !== null) return `\n${title}: SKIPPED, ${skipped}\n`;
  const lines = rows.map((row) => {
    const cells = [row.name.padEnd(48), row.surface.padEnd(9), aloneOf(row).padEnd(8), guardedOf(row)];
    const said = verbose ? detailsOf(row) : "";
    return `  ${cells.join(" ")}${row.again === true ? " (second try)" : ""}${said}`;
  });
  const lived = stories.map(({ story, holds }) => `\n  ${holds ? "holds" : "FAILS"}  ${story}`);
  const rest = leftOut === "" ? "" : `  LEFT OUT, the time was over: ${leftOut}\n`;
  return `\n${title}\n${lines.join("\n")}${lived.join("")}\n${rest}`;
}

/** Sections of clients that were not run this time stay as they were in `old`. */
export function markdownOf(tables, old) {
  const kept = old
    .split(/^(?=## )/m)
    .slice(1)
    .filter((part) => !tables.some(({ title, skipped }) => skipped === null && part.startsWith(`## ${title}\n`)));
  const keeps = (title) => kept.some((part) => part.startsWith(`## ${title}\n`));
  const fresh = tables.filter(({ title, skipped }) => skipped === null || !keeps(title));
  const parts = fresh.map(({ title, packages, skipped, rows, stories = [] }) => {
    if (skipped !== null) return `## ${title}\n\nNot run: ${skipped}.\n`;
    const versions = Object.entries(packages).map(([name, version]) => `\`${name}\` ${version}`);
    const lines = rows.map(
      (row) =>
        `| ${row.name} | ${row.surface}${row.allow ? ", allow rules" : ""} | ${aloneOf(row)} | ${guardedOf(row)} |`,
    );
    const leaks = (of) =>
      rows.filter((row) => row.kind !== "work" && row[of] !== null && row[of].changes.length > 0).length;
    const counted = `${rows.length} probes; alone ${leaks("bare")} leak, guarded ${leaks("guarded")}.`;
    const head = "| probe | run | alone | guarded |\n|---|---|---|---|\n";
    const lived = stories.map(({ story, holds }) => `- ${story}${holds ? "" : " (does not hold)"}`);
    const told = lived.length === 0 ? "" : `\nIn a real terminal, with the review:\n\n${lived.join("\n")}\n`;
    return `## ${title}\n\n${versions.join(", ")}. ${counted}\n\n${head}${lines.join("\n")}\n${told}`;
  });
  return `${opening}\n${[...kept.map((part) => `${part.trimEnd()}\n`), ...parts].toSorted((a, b) => (a < b ? -1 : 1)).join("\n")}`;
}

const opening = `# What other agents do while they plan, alone and guarded

Written by \`node scripts/clients.mjs --write\`: each row was run in the real client, in its plan mode, against a scripted model, in throw-away folders. "leaks": files
changed while it planned. "holds": none did, and the model was told why. For each write the same call was seen to change files outside of plan mode.
"allow rules": the client's own settings let every shell command and edit through; without them it may ask or refuse by itself.
`;

/** What is wrong for certain: a change while planning, or a story that does not hold. */
export function breachesOf(tables) {
  return failuresOf(tables).filter((line) => /: leak: |: does not hold: /.test(line));
}

/** Every row that does not stand, whether for that or because it could not be tried. */
export function failuresOf(tables) {
  return tables.flatMap(({ title, rows, stories = [] }) => [
    ...rows
      .filter(({ problem }) => problem !== null)
      .map(({ name, surface, problem }) => `${title}, ${name} (${surface}): ${problem}`),
    ...stories.filter(({ holds }) => !holds).map(({ story }) => `${title}: does not hold: ${story}`),
  ]);
}

function aloneOf(row) {
  const { kind, bare } = row;
  if (kind === "read") return bare.results.some((text) => text.includes(row.marker)) ? "reads" : "asks";
  if (kind === "work") return "works";
  return bare.changes.length > 0 ? "leaks" : "holds";
}

function guardedOf({ kind, guarded, problem }) {
  if (problem !== null) return problem;
  if (guarded === null) return "not run";
  return kind === "read" ? "reads" : kind === "work" ? "works" : kind === "plan-file" ? "writes it" : "holds";
}

function detailsOf({ control, bare, guarded }) {
  return runText("control", control) + runText("alone", bare) + runText("guarded", guarded);
}

function runText(label, run) {
  if (run === null) return "";
  const head = `${label}: exit ${run.exitCode}${run.timedOut ? " (time over)" : ""}, ${run.turns} turns`;
  const results = run.results.map((text) => `\n        < ${text.slice(0, 300).replaceAll("\n", "\\n")}`);
  const last = run.turns === 0 ? `\n        ${run.output.slice(-600)}` : "";
  return `\n      ${head}, changes [${run.changes.join(", ")}]${results.join("")}${last}`;
}
