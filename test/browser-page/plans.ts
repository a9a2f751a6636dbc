/** Two texts of one plan. */

export const firstPlan = `# Round the discount

Totals are **wrong** by fractions of a cent in \`src/a.ts\`.

- [ ] Round half up
- [x] Read the code

\`\`\`ts
export const round = (amount: number) => Math.round(amount * 100) / 100;
\`\`\`
`;
export const secondPlan = firstPlan
  .replace("Round half up", "Round half to even")
  .concat("\n## Tests\n\nA table of halves.\n");
