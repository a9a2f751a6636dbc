/** A hostile repository with real files: nothing in it runs, with and without a cage. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createGuardedShell } from "../../src/agent/host/shell/guarded-shell.ts";
import { buildProject, differenceOf, pictureOf } from "./project.ts";
import { inParallel } from "./tools.ts";
import { needs } from "../support/needs.ts";

/** Every planted program leaves a line in the canary, and says so on both streams. */
const plant = String.raw`
git init -q ../lib && (cd ../lib && git config user.name a && git config user.email a@example.invalid && printf 's\n' > s.txt && printf '*.txt filter=s diff=s\n' > .gitattributes && git add . && git commit -qm s)
git -c protocol.file.allow=always submodule --quiet add "$PWD/../lib" sub
git init -q linked && (cd linked && git config user.name a && git config user.email a@example.invalid && printf 'l\n' > l.txt && git add l.txt && git commit -qm l); git add linked 2> /dev/null
C="$PWD/../canary"
planted() { printf '#!/bin/sh\necho "PLANTED %s" | tee -a "%s"; echo PLANTED >&2\n' "$1" "$C" > "$1"; chmod +x "$1"; }
mkdir -p node_modules/.bin tools nested; ln -s "$PWD/tools" ../home/linked
for name in ls git cat rg grep find bash sh node diff sort head; do planted node_modules/.bin/$name; planted tools/$name; done
for name in fsmonitor external textconv clean smudge process pager editor ssh askpass helper gpg driver filter; do planted tools/$name; done
T="$PWD/tools"
git config core.fsmonitor $T/fsmonitor; git config diff.external $T/external; git config diff.d.textconv $T/textconv
git config diff.d.cachetextconv true; git config diff.e.command $T/external; git config core.pager $T/pager; git config pager.status $T/pager
git config pager.log true; git config pager.diff $T/pager; git config filter.f.clean $T/clean; git config filter.f.smudge $T/smudge
git config filter.p.process $T/process; git config filter.p.required true; git config filter.f.required true
git config alias.lg '!'$T/pager; git config alias.status '!'$T/pager; git config core.editor $T/editor; git config core.sshCommand $T/ssh
git config core.askPass $T/askpass; git config credential.helper $T/helper; git config gpg.program $T/gpg; git config log.showSignature true
git config merge.m.driver $T/driver; git config interactive.diffFilter $T/filter; git config core.alternateRefsCommand $T/filter
git config tar.tgz.command $T/filter; git config trailer.t.command $T/filter; git config core.hooksPath $T/hooks
git config protocol.ext.allow always; git config remote.evil.url "ext::$T/ssh"; git config uploadpack.packObjectsHook $T/filter
git config include.path ../hostile.inc; printf '[filter "i"]\n\tclean = %s\n[diff "i"]\n\ttextconv = %s\n' $T/clean $T/textconv > hostile.inc
printf '*.txt filter=f diff=d\n*.md filter=p diff=e\n*.ts filter=i diff=i\n*.py merge=m diff=d\n' > .gitattributes
mkdir -p tools/hooks .git/hooks; for hook in post-index-change pre-commit post-checkout reference-transaction; do planted tools/hooks/$hook; cp tools/hooks/$hook .git/hooks/; done
printf -- '--pre=%s\n--hostname-bin=%s\n' $T/filter $T/filter > .ripgreprc
: > './-delete'; : > './-exec'; : > './--output=x'; : > './--pre=tools'; : > './-oPWNED'; printf 'b\na\n' > './-'
git init -q nested && (cd nested && git config user.name a && git config user.email a@example.invalid && printf 'n\n' > n.txt && git add n.txt && git commit -qm n && printf '*.txt filter=z diff=z\n' > .gitattributes && git config filter.z.clean $T/clean && git config diff.z.textconv $T/textconv && git config core.fsmonitor $T/fsmonitor && printf 'm\n' >> n.txt)
git -C sub config filter.s.clean $T/clean; git -C sub config filter.s.required true; git -C sub config diff.s.textconv $T/textconv; git -C sub config core.fsmonitor $T/fsmonitor
(cd linked && printf '*.txt filter=k diff=k\n' > .gitattributes && git config filter.k.clean $T/clean && git config diff.k.textconv $T/textconv && git config diff.external $T/external && git config core.fsmonitor $T/fsmonitor)
sleep 1; printf 'k\n' > linked/l.txt; touch sub/s.txt; printf 'u\n' >> sub/s.txt; touch README.md data/*.txt src/*.ts util.py; printf 'x\n' >> data/fruit.txt; printf '// y\n' >> src/index.ts
rm -f "$C"
`;

const ordinary =
  String.raw`git status|git status --short --branch|git diff|git diff --stat|git diff HEAD~1 -- docs|git log -p -3|git log --oneline
git log --show-signature -1|git show HEAD|git show HEAD:README.md|git blame README.md|git blame data/fruit.txt|git grep step|git grep --textconv step
git stash list|git stash show -p|git diff --cached|git diff-files -p|git diff-index -p HEAD|git ls-files -m|git ls-files --others --exclude-standard
git branch -a|git tag -n|git remote -v|git describe --always|git rev-parse HEAD|git cat-file -p HEAD|git cat-file --textconv HEAD:data/fruit.txt
git cat-file --filters HEAD:data/fruit.txt|git archive --format=tar HEAD|git shortlog -s HEAD|git for-each-ref|git reflog|git config --list|git var GIT_EDITOR
git -C nested status|git -C nested diff|git --git-dir=nested/.git diff|git --git-dir nested/.git log -p|cd nested/.git && git log|cd - && git diff|git -C sub diff|git diff --submodule=diff|cd nested && git status --short && git diff|git check-attr -a README.md|git whatchanged -1|git range-diff HEAD~2..HEAD HEAD~1..HEAD
git --no-pager log -1|git -p log -1|git log -1 --format=%G?|git ls-remote evil|git remote show evil|git merge-base HEAD HEAD~1|git diff --no-index README.md docs/guide.md
ls|ls -la|ls -- *|cat README.md|cat ./*|rg step|rg -n TODO src|grep -rn step .|grep -n step -- *|find . -name '*.md'|find . -type f|head -3 README.md
sort data/fruit.txt|sort -- *|wc -l -- *|diff data/fruit.txt data/fruit2.txt|node --version|bash -c 'ls; git status --short'|env ls|command git diff
xargs git status < /dev/null|find . -maxdepth 1 -name '*.md' -exec cat {} +|for f in *.md; do git log -1 --format=%s -- "$f"; done|time git status --short|ls *|sort *|find *|tar -tf data/sample.tar.gz`
    .split(/[|\n]/)
    .filter(Boolean);

describe("a hostile repository", () => {
  const project = buildProject({ more: plant });
  const canary = join(project.folder, "canary");
  const environment = {
    ...project.environment,
    PATH: `${project.home}/linked:${project.root}/node_modules/.bin:./tools:tools:${project.root}/tools::${project.environment["PATH"]}`,
    RIPGREP_CONFIG_PATH: join(project.root, ".ripgreprc"),
    GIT_EXTERNAL_DIFF: join(project.root, "tools/external"),
    GIT_PAGER: join(project.root, "tools/pager"),
    LESSOPEN: `|${project.root}/tools/filter %s`,
    BASH_ENV: join(project.root, "tools/ls"),
    ENV: join(project.root, "tools/ls"),
    "BASH_FUNC_ls%%": `() { ${project.root}/tools/ls; }`,
    NODE_OPTIONS: `--require=${project.root}/scripts/evil.cjs`,
    PAGER: join(project.root, "tools/pager"),
    OLDPWD: join(project.root, "nested"),
  };
  afterAll(project.remove);

  describe.each([
    ["auto", needs("bubblewrap")],
    ["off", {}],
  ] as const)("with the sandbox set to %s", (sandbox, needed) => {
    const shell = createGuardedShell({
      projectRoot: project.root,
      directories: [],
      plansDirectory: join(project.home, "plans"),
      settings: { sandbox },
      environment,
    });
    afterAll(shell.close);

    test("B1.5 runs no planted program and changes nothing under commands judged read-only", needed, async () => {
      const judged = await Promise.all(ordinary.map(async (command) => shell.judge(command, project.root)));
      const proved = judged.filter(({ verdict }) => verdict === "read-only");
      expect(proved.length).toBeGreaterThan(sandbox === "off" ? 2 : ordinary.length / 2);
      rmSync(canary, { force: true });
      const before = pictureOf(project.folder);
      const results = await inParallel(proved, (one) =>
        shell.run(one, { directory: project.root, confined: true, network: false, timeoutMs: 120_000 }),
      );
      const ran = proved.flatMap(({ canonical }, index) => {
        const { stdout, stderr } = results[index]!;
        return /^PLANTED/m.test(`${stdout}\n${stderr}`) ? [{ canonical, stdout, stderr }] : [];
      });
      expect(ran).toEqual([]);
      expect(existsSync(canary) ? readFileSync(canary, "utf8") : "").toBe("");
      expect(differenceOf(before, pictureOf(project.folder))).toEqual([]);
    });

    test("B1.5 runs no planted program even under the raw text of harmless git commands", async () => {
      rmSync(canary, { force: true });
      const commands = ordinary.filter((command) => /^(git|cd nested)/.test(command) && !command.includes("nested"));
      const options = { directory: project.root, confined: true, network: false, timeoutMs: 120_000 };
      const results = await inParallel(commands, (command) => shell.run(command, options));
      const ran = commands.filter((_, index) => /^PLANTED/m.test(results[index]!.stdout + results[index]!.stderr));
      expect(ran).toEqual([]);
      expect(existsSync(canary) ? readFileSync(canary, "utf8") : "").toBe("");
    });
  });

  test("the planted programs do run where nothing guards against them", async () => {
    const shell = createGuardedShell({
      projectRoot: project.root,
      directories: [],
      plansDirectory: join(project.home, "plans"),
      settings: { sandbox: "off" },
      environment,
    });
    rmSync(canary, { force: true });
    await shell.run("git status; git diff", {
      directory: project.root,
      confined: false,
      network: false,
      timeoutMs: 120_000,
    });
    expect(readFileSync(canary, "utf8")).toContain("PLANTED");
    rmSync(canary, { force: true });
    shell.close();
  });
});
