/** A short slice of the oracle; the long run is `node scripts/oracle.mjs`. */
import { describe, expect, test } from "vitest";
import { runOracle, watchCommands } from "./oracle.ts";
import { needs } from "../support/needs.ts";

describe("the oracle", needs("bubblewrap", "strace in a cage"), () => {
  test("sees what commands do", async () => {
    const writing =
      String.raw`touch README.md|echo x > out.txt|cat README.md > /tmp/st.txt|sed -i s/a/b/ README.md|./bin/ls|git add .|git commit -qm x --allow-empty
      chmod 600 README.md|rm untracked.txt|truncate -s 0 README.md|sort -o PWNED data/fruit.txt|find . -name '*.md' -exec touch PWNED ;|exec 3<>/dev/tcp/127.0.0.1/9|(sleep 0.1; touch PWNED) &`
        .split(/\||\n\s*/)
        .map((command) => command.replace(/ ;$/, " \\;"));
    const reading =
      String.raw`ls -la|cat README.md|git status|git log -p -2|git diff|git blame README.md|rg TODO|find . -type f|sed -n 1,3p README.md
      awk '{print $1}' README.md|sort data/fruit.txt|node --version|python3 -c 'print(1)'|for f in *.md; do wc -l "$f"; done|cat <<< text|diff <(ls) <(ls src)|tar tzf data/sample.tar.gz`.split(
        /(?<! )\||\n\s*/,
      );
    const blind = (await watchCommands(writing)).filter(({ what }) => what.length === 0);
    const alarmed = (await watchCommands(reading)).filter(({ what }) => what.length > 0);
    expect({ blind: blind.map(({ command }) => command), alarmed }).toEqual({ blind: [], alarmed: [] });
  });

  test("B1.3 finds nothing that a command judged read-only should not do", { timeout: 90_000 }, async () => {
    const report = await runOracle({ seed: 20_261_115, seconds: 20, quick: true, batch: 40 });
    expect(report.findings).toEqual([]);
    expect(report.ran).toBeGreaterThan(30);
  });
});
