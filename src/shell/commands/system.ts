/** Programs that tell about processes, the machine and the session. */
import { valuesOf } from "../args.ts";
import type { Rule, Table } from "../call.ts";
import { each } from "../call.ts";
import { judgeBySpec, judgeWith, parseOptions, show } from "../options.ts";
import { unproven, writes } from "../walk.ts";
import { inCage, merge, online, paths, program } from "./subcommands.ts";

/** `date` sets the clock by an operand that is not a format. */
const date: Rule = (call) => {
  const parsed = parseOptions(
    call,
    "-u -R -I? -d= -f=< -r= -j -n --utc --universal --date= --iso-8601? --rfc-3339= --rfc-email --reference= --file=< --debug --resolution --help --version -s! --set! -v=",
  );
  if ("judgement" in parsed) return parsed;
  const setting = parsed.operands.find((arg) => !(arg.text ?? arg.head).startsWith("+") || arg.many);
  if (setting === undefined || (call.walk.situation.platform === "darwin" && parsed.options.has("-j"))) return null;
  return setting.text === null
    ? unproven("date may set the clock", setting.span)
    : writes(`date ${show(setting)} sets the clock`, setting.span);
};

/** With an operand it is set. */
const printsOnly =
  (options: string): Rule =>
  (call) => {
    const parsed = parseOptions(call, options);
    if ("judgement" in parsed) return parsed;
    const [operand] = parsed.operands;
    return operand === undefined ? null : writes(`${call.name} ${show(operand)} changes it`, operand.span);
  };

const sysctl: Rule = (call) => {
  const setting = call.args.find((arg) => valuesOf(arg)?.every((value) => !value.includes("=")) !== true);
  if (setting?.text === null) return unproven("sysctl may set a value", setting.span);
  if (setting !== undefined) return writes(`sysctl ${show(setting)} sets a value`, setting.span);
  return judgeBySpec(
    call,
    "-a -A -n -e -N -b -q -r= --all --values --ignore --names --pattern= -w! --write! -p! --load! --system! | data*",
  );
};

const ip: Rule = (call) => {
  const parsed = parseOptions(
    call,
    ". -4 -6 -0 -s -d -o -j -p -h -br -brief -json -pretty -stats -details -oneline -c -color -V -N -a -all --brief --json --color?",
  );
  if ("judgement" in parsed) return parsed;
  const [object, verb] = parsed.operands;
  if (object === undefined) return null;
  const reading = /^(a|ad|addr|address|l|li|link|r|ro|route|ru|rule|n|ne|neigh|neighbor|maddr|netns|tunnel|-V)$/.test(
    object.text ?? "",
  );
  const short = /^(a|ad|addr|address|r|ro|route|n|ne|neigh)$/.test(object.text ?? "") ? "s|" : "";
  const shown = verb === undefined || new RegExp(`^(${short}sh|show|l|ls|list|get)$`).test(verb.text ?? "");
  return reading && shown ? null : writes(`ip ${show(verb ?? object)} may change the network`, (verb ?? object).span);
};

const mount: Rule = (call) => {
  const parsed = parseOptions(call, "-l -t= -V --version --show-labels");
  if ("judgement" in parsed) return parsed;
  return parsed.operands.length === 0 ? null : writes("mount changes the file system", call.span);
};

const fdisk: Rule = (call) =>
  judgeWith(call, "-l -x -o= --list --bytes | in*", {
    names: "-l --list",
    otherwise: writes("fdisk changes partitions", call.span),
  });

const getent: Rule = (call) => {
  const [database] = call.args;
  const odd = call.args.find(
    (arg) => (arg.mayBeOption || arg.many) && !/^"?\$(USER|LOGNAME)"?$/.test(arg.word?.text ?? ""),
  );
  if (odd !== undefined) return unproven(`getent ${show(odd)} may choose a service`, odd.span);
  const local = /^(passwd|group|shadow|services|protocols|rpc|aliases|initgroups|gshadow|subid)$/.test(
    database?.text ?? "",
  );
  return local ? null : unproven("getent may ask the network", database?.span ?? call.span);
};

const crontab: Rule = ({ args, span }) => {
  const lists =
    args.some((arg, index) => arg.text === "-l" && args[index - 1]?.text !== "-u") &&
    args.every((arg, index) => /^-[lu]$/.test(arg.text ?? "") || args[index - 1]?.text === "-u");
  return lists ? null : writes("crontab changes the table", span);
};

const manual: Rule = (call) => {
  const file = call.args.find((arg) => arg.text === null || arg.text.includes("/"));
  if (file !== undefined) return unproven(`man ${show(file)} formats a file`, file.span);
  const parsed = parseOptions(
    call,
    "-w -W -f -k -V -a -s= -S= -7 --where --path --whatis --apropos --all --sections= --version --help --usage",
  );
  return "judgement" in parsed ? parsed : null;
};

const dump: Rule = (call) => {
  if (call.args.length === 0) return null;
  return judgeBySpec(call, "-V --version -h --help");
};

const systemctl = program({
  globals:
    "--user --system --no-pager --all -a -l --full -t= --type= --state= -q --quiet --failed --plain --no-legend -n= -o= -p= --property= --value",
  everywhere:
    "--user --system --no-pager --all -a -l --full -t= --type= --state= -q --quiet --failed --plain --no-legend -n= --lines= -o= --output= -p= --property= --value -r --recursive --reverse --after --before",
  bare: "--user --system --no-pager --all -a -l --full -t= --type= --state= --failed --plain --no-legend",
  branches: () =>
    paths(
      "status, is-active, is-enabled, is-failed, is-system-running, list-units, list-unit-files, list-timers, list-sockets, list-dependencies, list-jobs, list-machines, show, cat, get-default, show-environment",
      "| data*",
    ),
  writers:
    "start stop restart reload enable disable mask unmask kill edit set-property daemon-reload daemon-reexec isolate reboot poweroff halt suspend hibernate preset reset-failed set-default link",
});

const journal =
  "-# -n= -u= -f -r -k -b? -e -x -o= -p= -t= -g= -S= -U= -a -l -q -m -D= --no-pager --since= --until= --unit= --user-unit= --lines= --output= --priority= --boot? --list-boots --dmesg --reverse --follow --grep= --identifier= --disk-usage --no-hostname --no-full --full --all --quiet --user --system --utc --catalog --fields -N -F= --field= --header --version | data*";

export const system: Table = {
  date,
  gdate: date,
  ...each(
    "hostname domainname dnsdomainname",
    printsOnly(
      "-f -i -I -s -d -A -a -y --fqdn --long --ip-address --all-ip-addresses --short --domain --all-fqdns --alias -V --version -h --help",
    ),
  ),
  ...each(
    "ps pstree pwdx uname whoami id groups users who w logname tty printenv uptime free vmstat lscpu lsblk lsusb lsmod lsmem lsns lsipc lslocks nproc getconf locale iostat mpstat sleep usleep findmnt acpi lsb_release sw_vers vm_stat ipcs prtstat",
    "~ * | data*",
  ),
  arch: "~ ",
  pmap: "~ -x -X -XX -d -p -q -V | data*",
  pidof: "~ -s -c -q -x | data*",
  pidstat: "~ -d -H -h -I -l -p= -r -R -s -t -u -V -v -w -U? -C= -G= -T= --human | data*",
  lslogins: inCage("* | data*"),
  hostid: online(""),
  sensors: "~ -u -j -A -f | data*",
  slabtop: "~ -o --once -s= --sort=",
  numactl: "~ -H -s --hardware --show",
  last: "~ -# -n= -a -d -F -i -R -w -x | data*",
  lastlog: "~ -u= -b= -t= --user= --before= --time=",
  lspci: "~ -v -vv -vvv -n -nn -k -t -s= -d= -D -m -mm -x -b --version",
  modinfo: "~ -F= -n -a -d -l -p -0 | data*",
  ...each("df", "~ * -t= -x= --type= --exclude-type= --block-size= --output? | in*"),
  pgrep:
    "~ -l -a -f -x -u= -U= -n -o -c -d= -i -v -w -P= -t= -g= -G= -s= -L -F= --list-name --list-full --full --exact --count --newest --oldest --parent= --uid= --euid= | data",
  getent,
  lsof: withoutHost(
    "-i? -n -P -p= -u= -c= -t -a -l -U -d= -s? -F? -R -b -w -V -N -X -S? -r? -K? +D= -g? -T? -v -h | in*",
  ),
  ss: resolves(
    "-t -u -l -n -p -a -e -m -o -s -i -x -w -r -4 -6 -0 -H -O -Z -z -b -E --tcp --udp --listening --numeric --processes --all --extended --summary --info --unix --raw --ipv4 --ipv6 --no-header --oneline -f= --family= -h -V | data*",
  ),
  netstat: (call) =>
    call.args.some((arg) => /^(-[a-zA-Z]*n[a-zA-Z]*|--numeric)$/.test(arg.text ?? ""))
      ? judgeBySpec(call, "* | data*")
      : online("* | data*")(call),
  route: printsOnly("-n -e -ee -v -4 -6 --numeric"),
  arp: printsOnly("-n -a -e -v"),
  ifconfig: atMostOneInterface(),
  ip,
  dmesg:
    "~ -T -H -k -u -x -r -w -W -L? -l= -f= -t -d -e -P -p -S -h -V --ctime --human --kernel --userspace --decode --raw --follow --color? --level= --facility= --notime --reltime --nopager --time-format= --since= --until= -C! -c! -n! -D! -E! --clear! --read-clear!",
  sysctl,
  journalctl: journal,
  systemctl,
  top: inCage("-b -n= -d= -u= -U= -p= -o= -H -c -i -S -s -e= -E= -1 -w? -l= -stats= -v -h -F -R -r"),
  mount,
  ...each("swapon", "~ --show? -s --summary --noheadings --raw --bytes"),
  fdisk,
  crontab,
  ...each("atq runlevel", "~ "),
  fuser: (call) =>
    call.args.some(({ text }) => /^-(?!-).*n./.test(text ?? ""))
      ? unproven("fuser may read what follows -n as further options", call.span)
      : judgeBySpec(call, "~ -v -u -m -n= -a -s -4 -6 -l -V | in*"),
  ldconfig: "-p --print-cache",
  man: manual,
  ...each(
    "hostnamectl timedatectl localectl",
    program({
      branches: () =>
        paths("status, show, list-timezones, list-locales, timesync-status, list-keymaps, hostname", (call) =>
          call.args.length === 0 ? null : unproven(`${call.name} with operands`, call.span),
        ),
      bare: "--no-pager",
    }),
  ),
  loginctl: program({
    bare: "--no-pager",
    branches: () =>
      paths(
        "list-sessions, list-users, list-seats, show-session, show-user, session-status, user-status",
        "--no-pager --no-legend -p= | data*",
      ),
  }),
  ...each(
    "iptables ip6tables",
    "~ -L? -S? -n -v -x -t= --line-numbers --list? --numeric --verbose --table= -V --version | data",
  ),
  ufw: program({ branches: () => paths("status, version", "| data") }),
  dmidecode: "~ -t= -s= -q --type= --string= --quiet",
  lshw: "~ -short -class= -C= -json -quiet -businfo -numeric",
  ...each("nvidia-smi", "~ -L -q -i= -l= --query-gpu= --format= --list-gpus -h"),
  clear: dump,
  tput: (call) =>
    call.args.some((arg) => !/^(-T|[\w+.-]+)$/.test(arg.text ?? "") || /^(init|reset|is\d|rs\d|-S)$/.test(arg.text!))
      ? unproven("tput may run the terminal's own program", call.span)
      : judgeBySpec(call, "-T= | data*"),
  openssl: withoutStore(
    program({
      branches: () =>
        merge(
          {
            version: "-a -v -b -d -o -f -p -r -e -m",
            ciphers: "-v -V -s -tls1_2 -tls1_3 -stdname | data",
            help: "| data",
          },
          paths(
            "x509, rsa, verify",
            "-in=< -noout -text -subject -issuer -dates -startdate -enddate -fingerprint -serial -pubkey -modulus -sha256 -sha1 -sha512 -inform= -purpose -ext= -checkend= -hash -email -check -CAfile= -verbose -nameopt= | in*",
          ),
          { req: "-in=< -noout -text -subject -pubkey -modulus -verify -inform= -nameopt= -verbose" },
          {
            crl: "-in=< -noout -text -issuer -hash -fingerprint -lastupdate -nextupdate -crlnumber -inform= -nameopt= -CAfile=<",
          },
          paths("pkey, ec", "-in=< -noout -text -text_pub -pubin -pubcheck -check -inform="),
          { asn1parse: "-in=< -inform= -i -dump -noout -offset= -length= -dlimit= -strparse=" },
          paths("dgst, md5, sha1, sha256, sha512", "-md5 -sha1 -sha224 -sha256 -sha384 -sha512 -hex -r -c | in*"),
          paths("base64", "-d -e -A -in=<"),
          paths("rand", "-hex -base64 | data"),
        ),
    }),
  ),
  gpg: (call) =>
    call.args.length === 1 && /^--(version|help)$/.test(call.args[0]!.text ?? "")
      ? null
      : unproven("gpg keeps files of its own", call.span),
  ...each("readtags", "~ -t= -l"),
  yes: "~ | data*",
  stty: (call) =>
    call.args.every((arg) => /^(-a|-g|--all|--save|size|speed)$/.test(arg.text ?? ""))
      ? null
      : writes("stty changes the terminal", call.span),
  ...each("curl wget nc ncat telnet ssh ftp ping dig nslookup host traceroute whois", network()),
};

/** A name among the operands is looked up in the network. */
function resolves(options: string): Rule {
  return (call) => {
    const parsed = parseOptions(call, options);
    if ("judgement" in parsed) return parsed;
    return parsed.operands.length === 0 ? null : online(options)(call);
  };
}

/** A name with a scheme is looked up by an engine, a provider or in the network. */
function withoutStore(rule: Rule): Rule {
  return (call) => {
    const named = call.args.find(({ text, head }) =>
      text === null ? !/^\.{0,2}\//.test(head) : /^[a-z][\w+.-]*:/i.test(text),
    );
    return named === undefined ? rule(call) : unproven(`openssl ${show(named)} may load code`, named.span);
  };
}

/** `lsof -i @name` looks a name up; behind what is no number its letters go on, and `-D` writes. */
function withoutHost(options: string): Rule {
  return (call) => {
    const goesOn = /^-[nPtalURbwVNXvh]*[rSKgT](?!\d*$|[fqs]+$)/;
    const named = call.args.find(({ text }) => (text ?? "@").includes("@") || goesOn.test(text ?? ""));
    return named === undefined ? judgeBySpec(call, options) : unproven(`lsof ${show(named)}`, named.span);
  };
}

function network(): Rule {
  return (call) =>
    call.args.length === 1 && /^(-V|--version|-h|--help)$/.test(call.args[0]!.text ?? "")
      ? null
      : unproven(`${call.name} connects to another machine`, call.span);
}

function atMostOneInterface(): Rule {
  return (call) => {
    const parsed = parseOptions(call, ". -a -s -v");
    if ("judgement" in parsed) return parsed;
    const extra = parsed.operands[1] ?? parsed.operands.find((arg) => arg.many);
    return extra === undefined ? null : writes(`ifconfig ${show(extra)} changes the network`, extra.span);
  };
}
