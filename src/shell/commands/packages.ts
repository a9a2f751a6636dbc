/** Package managers: what is installed, declared or published. */
import type { Rule, Table } from "../call.ts";
import { each } from "../call.ts";
import { judgeBySpec, judgeWith, show } from "../options.ts";
import { unproven, writes } from "../walk.ts";
import { merge, online, paths, program, type Branches } from "./subcommands.ts";
import { guarded } from "./toolchain.ts";

const npmOptions =
  "-g -a -l -p -q -s -d --global --all --json --long --parseable --depth= --prod --production --dev --only= --omit= --include= --link --package-lock-only --unicode --no-unicode --silent --quiet --loglevel= -w= --workspace= --workspaces --ws --include-workspace-root --color? --no-color --no-fund --no-audit --no-update-notifier --location= --offline --prefer-offline --searchlimit= --searchopts= --no-description --description --audit-level=";

/** Before the sub-command a value must be attached: whether the next word is one depends on the version. */
const npmGlobals = `${npmOptions} `.replaceAll("= ", "=@ ").replaceAll("? ", "=@ ");

const npmWriters =
  "install i in ins add ci clean-install uninstall remove rm r un unlink update up upgrade udpate create init innit link ln publish unpublish pack prune dedupe ddp rebuild rb version set login logout adduser add-user owner author access team token star unstar deprecate dist-tag hook org profile shrinkwrap cache edit explore undeprecate sbom-write";

const npm = (): Branches =>
  merge(
    paths(
      "ls, list, ll, la, explain, why, root, prefix, bin, help-search, completion, query, sbom",
      `${npmOptions} | data*`,
    ),
    paths("config get, config list, config ls, get, pkg get", `${npmOptions} | data*`),
    { help: "", run: "", "run-script": "", fund: "--json --no-browser --unicode --depth=" },
  );
const npmNetwork = (): Branches => ({
  ...paths("search, s, find", `${npmOptions} | data*`),
  ...paths(
    "view, info, show, v, outdated, ping, whoami, audit, dist-tag ls, owner ls, access list packages, token list, org ls, team ls",
    published(`${npmOptions} | data*`),
  ),
});

/** Packages of the registry and fields of their description: nothing that is fetched from elsewhere. */
function published(options: string): Rule {
  return (call) => {
    const plain = /^(--?\w.*|(@[\w.~-]+\/)?[\w~][\w.~[\]*-]*(@[\w.^~<>=*| -]+)?)$/;
    const foreign = call.args.find(({ text }) => text === null || !plain.test(text) || /:|\/\//.test(text));
    if (foreign !== undefined) return unproven(`${call.name} may fetch ${show(foreign)}`, foreign.span);
    return judgeBySpec(call, options);
  };
}

/** The sub-commands of the second tree ask the registry. */
function withNetwork(local: Rule, remote: Rule): Rule {
  return (call) => {
    const { findings } = call.walk;
    const before = findings.network;
    if (local(call) === null) return null;
    findings.network = before;
    return remote(call);
  };
}

const npmRule = withNetwork(
  program({ globals: npmGlobals, branches: npm, bare: "" }),
  program({
    globals: npmGlobals,
    branches: () => ({ ...npmNetwork(), audit: merge(paths("signatures", npmOptions), { "": npmOptions }) }),
    writers: npmWriters,
    network: true,
  }),
);

const pnpm = guarded(
  "pnpm",
  program({
    globals: "-r --recursive --silent --filter= -F=",
    branches: () =>
      merge(
        paths(
          "list, ls, ll, la, why, root, bin, licenses list, licenses ls",
          "-g -r -P -D --global --recursive --json --long --parseable --depth= --prod --dev --only-projects --filter= -F= | data*",
        ),
        paths("config get, config list, store path, store status, get", "-g --json | data*"),
        { outdated: online(published("-r -g --json --long --format= | data*")) },
      ),
    writers:
      "install i add remove rm uninstall update up dlx create init publish pack link unlink rebuild import prune patch deploy fetch dedupe env audit store",
  }),
);

const yarn = guarded(
  "yarn",
  program({
    branches: () =>
      merge(
        paths(
          "list, why, licenses list, config get, config list, versions, bin",
          "--json --depth= --pattern= --prod --production -A -R --all --recursive --no-dependencies --name-only --verbose --why | data*",
        ),
        paths("workspaces list, workspaces info, cache dir", "--json -v --verbose"),
        {
          outdated: online(published("--json | data*")),
          info: online(published("--json -A -R --all --recursive --name-only | data*")),
        },
      ),
    writers:
      "install add remove up upgrade dlx create init publish pack link unlink rebuild import dedupe set plugin patch node global",
  }),
);

const pipOptions =
  "-q -v -l --verbose --quiet --format= --uptodate -u --user --local --not-required --exclude= --exclude-editable --include-editable -e --editable --path= --pre --disable-pip-version-check --no-color --all --files --no-cache-dir --no-python-version-warning --isolated";
const pipList: Rule = (call) => {
  const outdated = call.args.some((arg) => /^(--outdated|--uptodate|-[a-z]*[ou][a-z]*)$/.test(arg.text ?? ""));
  const options = `${pipOptions} --outdated -o -u --uptodate | data*`;
  return outdated ? online(options)(call) : judgeBySpec(call, options);
};

const pip = program({
  globals: "-q -v --disable-pip-version-check --no-color --isolated",
  branches: () =>
    merge(
      paths(
        "freeze, check, inspect, debug, config list, config get, config debug, cache dir, cache info, cache list, hash",
        `${pipOptions} | data*`,
      ),
      {
        list: pipList,
        show: `${pipOptions} -f | data*`,
        help: "| data",
        completion: "--bash --zsh --fish",
        index: { versions: online(published("--pre --json | data")) },
      },
    ),
  writers: "install uninstall download wheel cache config search lock index",
});

const gem = program({
  branches: () =>
    paths(
      "list, environment, env, which, contents, dependency, help, specification, query, stale, info",
      "-l -a -d -i -q -v= --local --all --details --versions --no-versions --prerelease --quiet --reverse-dependencies --no-verbose -e --exact | data*",
    ),
  writers: "install uninstall update push build yank cleanup owner cert pristine fetch unpack rdoc sources",
});

const bundle = guarded(
  "ruby",
  program({
    branches: () =>
      paths(
        "list, show, info, config list, config get, platform, env, licenses",
        "--name-only --paths --path --verbose --parseable | data*",
      ),
    writers: "install update add remove init package cache lock clean binstubs gem open",
  }),
);

const composer = guarded(
  "php",
  program({
    globals: "--no-plugins --no-scripts --no-interaction -n -q --quiet --no-ansi",
    branches: () =>
      paths(
        "show, licenses, about, depends, why, why-not, prohibits, validate, status, check-platform-reqs, suggests, fund, diagnose",
        "-i -a -t -D -N -P -s -l -o --installed --all --tree --direct --name-only --path --self --latest --outdated --format= --no-dev --no-interaction -n -r --recursive --no-plugins --no-scripts | data*",
      ),
    writers: "install update require remove dump-autoload create-project init global self-update archive config bump",
  }),
);

const aptOptions =
  "-a -n -i -q --installed --upgradable --all-versions --manual-installed --names-only --no-all-versions --full -f";
const apt = program({
  globals: "-q",
  branches: () =>
    paths(
      "list, show, search, policy, depends, rdepends, showsrc, showpkg, pkgnames, madison, stats, dump, unmet, help",
      `${aptOptions} | data*`,
    ),
  writers:
    "install remove purge update upgrade full-upgrade autoremove edit-sources clean autoclean dist-upgrade reinstall satisfy build-dep source download changelog",
});

const dpkg: Rule = (call) => {
  const writing = call.args.find((arg) =>
    /^(-i|-r|-P|--install|--remove|--purge|--unpack|--configure|--set-selections|--clear-selections|--add-architecture|--remove-architecture|--update-avail|-x|-X|-e|-b|-R|--extract|--vextract|--control|--build|-A|--record-avail|--forget-old-unavail|--clear-avail|--merge-avail|--triggers-only)$/.test(
      arg.text ?? "",
    ),
  );
  if (writing !== undefined) return writes(`dpkg ${writing.text} changes packages`, writing.span);
  return judgeBySpec(
    call,
    "-l -L -s -S -p -c -V -C -W -f= --list --listfiles --status --search --print-avail --contents --verify? --audit --get-selections --print-architecture --print-foreign-architectures --compare-versions --version --help --no-pager --show --showformat= -f --field | data*",
  );
};

const rpm: Rule = (call) =>
  judgeWith(
    call,
    "-q -a -i -l -f -c -d -R -V -s --all --info --list --file --changelog --requires --provides --whatrequires --whatprovides --qf= --queryformat= --last --scripts --conf --docs --verify --query | data*",
    { names: "-q --query -V --verify", otherwise: writes("rpm changes packages", call.span) },
  );

const pacman: Rule = (call) => {
  const [first] = call.args;
  const query = /^-(Q[a-z]*|Ss|Si|Sl|F[a-xz]*|Qo|V|T[a-z]*)$/.test(first?.text ?? "");
  if (!query) return writes("pacman changes packages", call.span);
  return call.args.slice(1).every((arg) => !arg.mayBeOption)
    ? null
    : unproven("pacman: an option is not known", call.span);
};

const brew = program({
  branches: () =>
    paths(
      "list, ls, info, deps, leaves, uses, config, outdated, cat, desc, --prefix, --cellar, --repository, --cache, formulae, casks, tap-info, services list, missing, options",
      "-l -1 -r -v --versions --formula --cask --json? --tree --installed --full-name --pinned --verbose --all --include-build --greedy --direct --quiet -q | data*",
    ),
  globals: "--prefix? --cellar? --repository --cache -v",
  bare: "--prefix? --cellar? --repository --cache --version -v --help",
  writers: "install uninstall upgrade update tap untap link unlink cleanup services pin unpin reinstall doctor",
});

const listing = (list: string, writers: string): Rule =>
  program({
    branches: () =>
      paths(
        list,
        "-a -q --all --installed --json --long --columns= --app --runtime -l --name --version --format= --no-pager -v | data*",
      ),
    writers,
  });

export const packages: Table = {
  npm: npmRule,
  pnpm,
  yarn,
  ...each("pip pip3 pip2", pip),
  ...each("gem", gem),
  ...each("bundle bundler", bundle),
  composer,
  ...each("apt apt-cache", apt),
  "apt-get": program({
    branches: () => ({}),
    writers: "install remove purge update upgrade autoremove clean autoclean dist-upgrade source download build-dep",
  }),
  "apt-mark": program({
    branches: () => paths("showauto, showmanual, showhold", "| data*"),
    writers: "auto manual hold unhold",
  }),
  "apt-config": program({ branches: () => paths("dump", "") }),
  dpkg,
  "dpkg-query": "~ -l -L -s -S -p -W -f= --list --listfiles --status --search --show --showformat= --no-pager | data*",
  rpm,
  ...each(
    "dnf yum microdnf",
    listing(
      "list, info, search, provides, repolist, repoquery, deplist, group list",
      "install remove update upgrade downgrade clean makecache autoremove erase reinstall",
    ),
  ),
  zypper: listing(
    "search, se, info, if, packages, pa, repos, lr, list-updates, lu, patterns",
    "install in remove rm update up dup refresh ref",
  ),
  apk: listing("list, info, search, version, policy, stats", "add del update upgrade fix cache fetch"),
  ...each("pacman yay paru", pacman),
  brew,
  port: listing(
    "installed, info, list, search, deps, contents, provides, outdated, variants",
    "install uninstall upgrade sync selfupdate",
  ),
  snap: listing(
    "list, info, version, connections, services, known, changes",
    "install remove refresh revert enable disable set connect",
  ),
  flatpak: listing("list, info, remotes, search, ps", "install uninstall update run override"),
  ...each(
    "conda mamba",
    program({
      branches: () =>
        paths(
          "list, info, env list, config --show, search",
          "--json -n= -p= --name= --prefix= --envs -e --export --show-channel-urls --all | data*",
        ),
      writers: "install create remove update clean activate env build run",
    }),
  ),
  "nix-env": "~ -q --query -a --available --installed -P --attr-path --description --json | data*",
  bun: program({
    branches: () => paths("pm ls, pm bin, pm hash", "--all -g"),
    writers: "install add remove update x create link publish",
  }),
};
