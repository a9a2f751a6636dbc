/** A throw-away project with everything that the sample's commands name: files, history, traps and a home of its own. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanPath } from "../../src/agent/host/launch/search-path.ts";
import { namesBelow } from "../support/walk.ts";
import { remove as removeFolder } from "../support/remove.ts";

export interface ThrowAwayProject {
  /** Everything of it, the home and the origin included. */
  readonly folder: string;
  readonly root: string;
  readonly home: string;
  readonly environment: Record<string, string>;
  readonly remove: () => void;
}

const script = String.raw`
set -e
mkdir -p home proj && cd proj
git init -q -b main . && git config user.name Ada && git config user.email ada@example.invalid
mkdir -p src/lib docs data logs scripts bin packages/a rust/src trap/find trap/tree trap/sort trap/tar dist
printf '# Demo\n\nA demo project. TODO: more.\nstep one\nexport nothing\n' > README.md
printf 'export const add = (a: number, b: number) => a + b;\n// TODO faster\n' > src/lib/math.ts
printf 'import { add } from "./lib/math";\nexport function main() { return add(1, 2); }\n' > src/index.ts
printf '# Guide\nstep one\nstep two\n' > docs/guide.md
printf 'pear\napple\nfig\napple\n' > data/fruit.txt; printf 'apple\nfig\n' > data/fruit2.txt; seq 1 20 > data/nums.txt
printf 'id,name,age\n1,Ada,36\n2,Bob,41\n3,Eve,29\n' > data/users.csv
printf '[{"name":"Ada","age":36},{"name":"Bob","age":41}]\n' > data/users.json
printf '<feed><title>t</title></feed>\n' > data/feed.xml
printf '2026-01-01 INFO start\n2026-01-01 ERROR bad\n' > logs/app.log
printf '{"name":"demo","version":"1.0.0","scripts":{"test":"touch PWNED","build":"touch PWNED","lint":"touch PWNED"}}\n' > package.json
printf '{"compilerOptions":{"outDir":"dist"},"include":["src"]}\n' > tsconfig.json
printf '{"name":"a","version":"1.0.0"}\n' > packages/a/package.json
printf '[package]\nname = "demo"\nversion = "0.1.0"\n' > rust/Cargo.toml; printf 'fn main() {}\n' > rust/src/main.rs
printf 'package main\nfunc  main() {}\n' > main.go; printf 'def f():\n    return 1\n' > util.py
printf 'all:\n\ttouch PWNED\n' > Makefile
printf 'node_modules\n# comment\n*.log\n' > .gitignore; printf 'A=1\n' > .env; printf 'A=\n' > .env.example
printf '#!/bin/sh\ntouch PWNED\ncat "$@" 2>/dev/null\n' > scripts/hit.sh; chmod +x scripts/hit.sh
printf 'touch PWNED\n' > scripts/evil.sh; printf 'require("fs").writeFileSync("PWNED","")\n' > scripts/evil.cjs
printf 'open("PWNED","w")\n' > scripts/evil.py; printf 'w PWNED\n' > scripts/evil.sed
printf 'shell touch PWNED\nquit\n' > scripts/evil.gdb; printf '.once PWNED\nselect 1;\n' > scripts/evil.sql
printf '*.md diff=md\n' > scripts/evil.attributes
printf '#!/bin/sh\ntouch PWNED\nexec /bin/ls "$@"\n' > bin/ls; chmod +x bin/ls
: > trap/find/,x; : > trap/find/-delete; : > trap/tree/PWNED; : > trap/tree/-oPWNED; : > trap/sort/-oPWNED; printf 'b\na\n' > trap/sort/z
: > 'trap/tar/--checkpoint=1'; : > 'trap/tar/--checkpoint-action=exec=touch PWNED'; printf x > trap/tar/file
gzip -c README.md > data/readme.gz; tar czf data/sample.tar.gz README.md docs
if command -v zip > /dev/null; then zip -q data/sample.zip README.md docs/guide.md; fi
if command -v sqlite3 > /dev/null; then sqlite3 data/app.db 'create table t(a); insert into t values(1)'; else : > data/app.db; fi
git add -A && git commit -qm 'Begin' && git tag -a v1.0.0 -m one
printf 'step three\n' >> docs/guide.md && git commit -qam 'More guide'
git checkout -q -b feature/login && printf 'export const login = 1;\n' > src/login.ts && git add -A && git commit -qm 'Login'
git checkout -q main && git branch bugfix HEAD~1 && printf 'more\n' >> README.md && git commit -qam 'Readme' && git merge -q --no-edit feature/login
git clone -q --bare . ../home/origin.git && git remote add origin ../home/origin.git && git fetch -q
printf 'stashed\n' >> util.py && git stash -q
printf 'changed\n' >> README.md; git diff > changes.patch; printf 'staged\n' > staged.txt; git add staged.txt
printf 'untracked\n' > untracked.txt; ln -s README.md link.md; printf 'dist\n' > dist/kept.js
mkdir -p ../home/.config ../home/.rustup && printf 'version = "12"\n' > ../home/.rustup/settings.toml && printf '[user]\n\tname = Ada\n\temail = ada@example.invalid\n' > ../home/.gitconfig
`;

/** Builds it in a temporary folder; `more` is a further script that runs in the project. */
export function buildProject({ more = "" }: { more?: string } = {}): ThrowAwayProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-project-")));
  const home = join(folder, "home");
  const environment: Record<string, string> = {
    PATH: cleanPath(process.env["PATH"], [process.cwd()]),
    HOME: home,
    LANG: "C.UTF-8",
    USER: "ada",
  };
  execFileSync("bash", ["--noprofile", "--norc", "-c", `${script}\n${more}`], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const remove = (): void => removeFolder(folder);
  return { folder, root: join(folder, "proj"), home, environment, remove };
}

/** One line for each file: path, kind, mode, times and contents; equal pictures mean that nothing was touched. */
export function pictureOf(folder: string): string[] {
  return namesBelow(folder).map((name) => {
    const path = join(folder, name);
    const { mode, mtimeMs, ctimeMs, size } = lstatSync(path);
    return `${name} ${mode.toString(8)} ${mtimeMs} ${ctimeMs} ${size} ${contentOf(path, mode)}`;
  });
}

/** What differs between two pictures. */
export function differenceOf(before: readonly string[], after: readonly string[]): string[] {
  const [old, now] = [new Set(before), new Set(after)];
  const gone = before.filter((line) => !now.has(line)).map((line) => `- ${line}`);
  return gone.concat(after.filter((line) => !old.has(line)).map((line) => `+ ${line}`));
}

function contentOf(path: string, mode: number): string {
  const kind = mode & 0o170000;
  if (kind === 0o120000) return readlinkSync(path);
  return kind === 0o100000 ? createHash("sha1").update(readFileSync(path)).digest("hex") : "";
}
