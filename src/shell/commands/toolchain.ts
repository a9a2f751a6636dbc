/** Versions and settings of compilers, interpreters and build tools. */
import type { ShellCall, Rule, Table } from "../call.ts";
import { each } from "../call.ts";
import { applyRule, judgeBySpec, judgeWith } from "../options.ts";
import type { ProjectTool, ShellSituation } from "../types.ts";
import type { ShellRefusal } from "../walk.ts";
import { unproven, writes } from "../walk.ts";
import { judgePerl } from "./perl.ts";
import { inCage, merge, online, paths, program } from "./subcommands.ts";

/** Only the one argument that asks for the version: with others these run or build the project. */
const asksVersion =
  (...versions: readonly string[]): Rule =>
  (call) => {
    const [only, ...more] = call.args;
    if (only !== undefined && more.length === 0 && versions.includes(only.text ?? "")) return null;
    return unproven(`${call.name} does more than tell its version`, only?.span ?? call.span);
  };

/** Project configuration may choose the program that runs: only in the cage, or where there is none. */
export function guarded(tool: ProjectTool, rule: string | Rule): Rule {
  return (call) => refuseConfigured(call, tool) ?? applyRule(call, rule);
}

function refuseConfigured({ name, walk, span }: ShellCall, tool: ProjectTool): ShellRefusal | null {
  const { situation, place } = walk;
  if (situation.caged === true) return null;
  if (situation.projectTools === undefined)
    return unproven(`the project may choose the program that ${name} runs`, span);
  if (situation.projectTools.includes(tool))
    return unproven(`the project's configuration chooses what ${name} runs`, span);
  return place.paths?.every((path) => wasSeen(path, situation)) === true
    ? null
    : unproven(`${name} runs in a directory whose configuration was not looked at`, span);
}

function wasSeen(path: string, { directory, projectUnseen }: ShellSituation): boolean {
  if (path === directory) return true;
  const isIn = (folder: string) => fold(`${path}/`).startsWith(fold(`${folder}/`));
  return projectUnseen !== undefined && path.startsWith(`${directory}/`) && !projectUnseen.some(isIn);
}

/** Some file systems take names in other letters for the same. */
function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

const compiler: Rule = (call) => {
  const printing =
    /^(--version|-v|-V|--help|-dumpversion|-dumpfullversion|-dumpmachine|-dumpspecs|-print-(search-dirs|libgcc-file-name|multiarch|sysroot|target-triple|resource-dir|prog-name=[\w-]+|file-name=[\w.-]+)|--print-[\w=-]+|--target-help)$/;
  const other = call.args.find((arg) => !printing.test(arg.text ?? ""));
  return other === undefined && call.args.length > 0
    ? null
    : unproven(`${call.name} compiles`, other?.span ?? call.span);
};

/** `rustc --print cfg=FILE` writes the file. */
const rustCompiler: Rule = (call) => {
  const file = call.args.find(({ text }) => text === null || /^[\w-]+=/.test(text.replace(/^--print=/, "")));
  if (file !== undefined) return unproven("rustc --print may write to a file", file.span);
  return judgeBySpec(call, "-V -v -vV --version --verbose -h --help --print= --explain=");
};

const typescript: Rule = (call) => {
  const build = call.args.find((arg) => /^(--init|--outDir|--outFile|-w|--watch|--generate\w+)$/.test(arg.text ?? ""));
  if (build !== undefined) return writes(`tsc ${build.text} writes files`, build.span);
  const prints = /^(-v|--version|-h|--help|--all|--showConfig|--listFilesOnly)$/;
  if (call.args.some((arg) => prints.test(arg.text ?? ""))) {
    return judgeBySpec(
      call,
      "-v --version -h --help --all --showConfig --listFilesOnly --noEmit --pretty -p=< --project=<",
    );
  }
  return unproven("tsc may write what it compiled", call.span);
};

const cargoLocked: Rule = (call) =>
  judgeWith(
    call,
    "--locked --frozen --offline --no-deps --format-version= --manifest-path=< -p= --package= -e= --edges= -i= --invert= --depth= --prefix= --no-dedupe --duplicates -d --all-features --no-default-features --features= -F= --target= --workspace --prune= --format= -f= -q --quiet --color= --filter-platform= --charset= -v --verbose | data*",
    {
      names: "--locked --frozen --no-deps",
      otherwise: unproven(`${call.name} may write Cargo.lock: add --locked`, call.span),
    },
  );

const cargo = guarded(
  "cargo",
  program({
    globals: "-q --quiet -v --verbose --color= --list --explain= --offline --locked --frozen",
    bare: "--list --explain= -V --version -v --verbose",
    branches: () => ({
      version: "-v --verbose",
      help: "",
      "locate-project": "--manifest-path=< --message-format= --workspace -q --quiet",
      "read-manifest": "--manifest-path=<",
      "verify-project": "--manifest-path=<",
      search: online("--limit= | data*"),
      fmt: (call) =>
        call.args.some((arg) => arg.text === "--check")
          ? unproven("cargo fmt runs a formatter of the project", call.span)
          : writes("cargo fmt rewrites files", call.span),
      tree: cargoLocked,
      metadata: cargoLocked,
      pkgid: cargoLocked,
    }),
    writers:
      "clean new init add remove update install uninstall publish fix vendor generate-lockfile fetch package login logout owner yank",
  }),
);

const rustup = guarded(
  "rustup",
  program({
    globals: "-q -v --verbose --quiet",
    branches: () =>
      merge(
        paths(
          "show, show active-toolchain, show home, show profile, toolchain list, target list, component list, override list, which, help",
          "-v --verbose --installed --toolchain= -q --quiet | data",
        ),
        { show: { "": "-v --verbose", "active-toolchain": "-v --verbose", home: "", profile: "" } },
      ),
    writers: "install uninstall update default override self set run",
  }),
);

const go = guarded(
  "go",
  program({
    branches: () => ({
      version: "-m -v | in*",
      env: "-json | data*",
      list: "-f= -m -json? -deps -test -e -find -tags= | data*",
      doc: "-all -c -cmd -short -src -u | data*",
      help: "| data*",
      mod: { graph: "", why: "-m -vendor | data*", verify: "" },
      tool: "",
    }),
    writers: "install get generate clean fmt fix work bug",
  }),
);

const listOptions = "-a -q -v -t -o= --all --tree --json --quiet --verbose --output= --format= --show-versions | data*";
const lists = (list: string): Rule => program({ branches: () => paths(list, listOptions) });
/** Beside the version, lists. */
const tells =
  (rule: Rule, ...versions: readonly string[]): Rule =>
  (call) =>
    asksVersion("--version", ...versions)(call) === null ? null : rule(call);
const versionsOf = tells(lists("versions, version, which, root, prefix, commands"));

export const toolchain: Table = {
  uv: tells(
    guarded(
      "python",
      lists("pip list, pip show, pip freeze, pip check, python list, python find, tool list, cache dir"),
    ),
    "-V",
  ),
  pipx: tells(lists("list, environment")),
  ...each("pyenv rbenv", versionsOf),
  pipenv: tells(inCage(lists("graph"))),
  poetry: inCage(lists("show, env info, env list, about")),
  gcloud: inCage(lists("config list, config get-value, auth list, info, version")),
  az: inCage(lists("account show, account list, version")),
  tmux: tells(inCage(lists("ls, list-sessions, list-windows")), "-V"),
  ...each(
    "javac jar kotlinc scalac clojure ant cmake meson zig nim crystal ocaml opam ghc cabal stack gfortran nasm bison flex m4 autoconf automake libtool protoc buf thrift swiftc eslint prettier vitest rollup vite esbuild babel stylelint mypy pyright ruff black isort conda mamba fnm volta asdf mise packer vault consul nomad k3s skaffold kustomize istioctl argocd flux doctl psql mysql mariadb mongosh redis-cli redis-server httpd apache2 caddy pandoc ffmpeg convert magick gs latex pdflatex xelatex tex inkscape code podman-compose rclone hg svn fossil jj pre-commit bats gdb lldb valgrind perf strace ltrace make gmake msgfmt xgettext golangci-lint staticcheck sccache ccache npx corepack ninja ctest mono info nvim",
    asksVersion("--version"),
  ),
  ...each("gradle heroku vercel netlify fly wrangler", inCage(asksVersion("--version", "-v", "version"))),
  ...each("make gmake eslint vite rollup pandoc redis-cli npx", asksVersion("--version", "-v")),
  ...each("psql mysql mariadb ruff strace dot flex rclone", asksVersion("--version", "-V")),
  ...each(
    "javac scala scalac kotlin kotlinc xcodebuild ant ffmpeg convert magick cmake",
    asksVersion("--version", "-version"),
  ),
  ...each("zig hugo buf kustomize packer vault consul nomad argocd doctl pod", asksVersion("--version", "version")),
  ...each("gcc g++ cc c++ clang clang++ ld gcc-12 gcc-13 gcc-14 g++-12", compiler),
  erl: asksVersion("-version"),
  as: asksVersion("--version", "--help"),
  rustc: guarded("cargo", rustCompiler),
  ...each("tsc", typescript),
  jar: (call) =>
    /^-?t[vf]*$/.test(call.args[0]?.text ?? "") && call.args.slice(1).every((arg) => !arg.mayBeOption)
      ? null
      : asksVersion("--version")(call),
  mvn: guarded("maven", asksVersion("--version", "-v", "-V")),
  java: "-version --version -help --help -h",
  php: (call) =>
    call.args.some((arg) => arg.text === "-l" || arg.text === "--syntax-check")
      ? judgeWith(call, ". -l --syntax-check -n | in", {
          names: "-l --syntax-check",
          otherwise: unproven("php runs its operand", call.span),
        })
      : asksVersion("-v", "-m", "-i", "--version", "--ini", "--modules", "--info", "-h", "--help")(call),
  ...each("pg_config llvm-config xml2-config curl-config python3-config php-config", "~ * | data"),
  "pkg-config":
    "--list-all --modversion --exists --cflags --libs --variable= --print-variables --version --static --print-requires --atleast-version= | data*",
  "xcode-select": "~ -p --print-path",
  rustfmt: guarded(
    "cargo",
    tells(
      (call) =>
        judgeWith(call, "--check --edition= --color= -q --quiet -v | in*", {
          names: "--check",
          otherwise: writes("rustfmt rewrites files", call.span),
        }),
      "-V",
      "--help",
    ),
  ),
  cargo,
  rustup,
  go,
  dotnet: "--version --info --list-sdks --list-runtimes -h --help",
  perl: judgePerl,
  nginx: "-v -V -h",
};
