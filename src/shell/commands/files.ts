/** Programs that look at files and directories, and those that plainly change them. */
import type { ShellCall, Rule, Table } from "../call.ts";
import { each } from "../call.ts";
import type { Arg } from "../args.ts";
import { literalArg, noteRead, pathsOf } from "../args.ts";
import { asksForHelp, judgeBySpec, judgeWith, parseOptions, show, withoutOptionFiles } from "../options.ts";
import { unproven, writes } from "../walk.ts";

const plainEdits: Readonly<Record<string, string>> = {
  mkdir: "-p -v -m= --parents --verbose --mode=",
  touch: "-a -c -m -d= -t= -r= --no-create --date= --reference=",
  mv: "-f -n -v -u -i -T --force --no-clobber --verbose --update --interactive --no-target-directory",
  cp: "-r -R -a -p -f -n -v -u -i -L -P -T -d --recursive --archive --force --no-clobber --verbose --update --interactive --no-target-directory",
  rm: "-f -r -R -v -i -I -d --force --recursive --verbose --dir",
};

/** mkdir, touch, mv, cp and rm on literal paths: proved to write, and exactly where. */
const edit: Rule = (call) => {
  if (asksForHelp(call)) return null;
  const refusal = writes(`${call.name} changes files`, call.span);
  const parsed = parseOptions(call, plainEdits[call.name]!);
  if ("judgement" in parsed) return refusal;
  const paths = parsed.operands.map((arg) => pathsOf(arg, call.walk));
  if (paths.length === 0 || paths.some((list) => list?.length !== 1)) return refusal;
  return { ...refusal, paths: paths.flatMap((list) => list!) };
};

const change: Rule = (call) =>
  asksForHelp(call) ? null : writes(`${call.name} changes files or the system`, call.span);

const tarOptions =
  "-t -x -z -j -J -v -O -a -f=< -C= --list --extract --get --to-stdout --gzip --bzip2 --xz --zstd --lzma --auto-compress --verbose --file=< --directory= --wildcards --no-wildcards --exclude= --strip-components= --full-time --numeric-owner --utc --show-stored-names -h -p -P -i | data*";

const tar: Rule = (call) => {
  if (asksForHelp(call)) return null;
  const [first, ...rest] = call.args;
  const old = first !== undefined && /^[a-zA-Z]+$/.test(first.text ?? "");
  if (first !== undefined && !old && !first.mayBeOption)
    return unproven(`tar ${show(first)} is a cluster of options`, first.span);
  const inner = old ? { ...call, args: oldStyle(first, rest) } : call;
  const parsed = parseOptions(inner, tarOptions);
  if ("judgement" in parsed)
    return isTarWriter(first?.text ?? "") ? writes(`tar ${show(first!)} writes`, first!.span) : parsed;
  const archive = parsed.options.get("-f") ?? parsed.options.get("--file");
  const has = (...names: readonly string[]): boolean => names.some((name) => parsed.options.has(name));
  if (has("-x", "--extract", "--get") && !has("-O", "--to-stdout")) return writes("tar -x writes files", call.span);
  if (!has("-t", "--list", "-x", "--extract", "--get")) return unproven("tar without -t", call.span);
  if (archive && mayBeRemote(archive)) return unproven("the archive may be on another machine", archive.span);
  return null;
};

/** `host:file`, unless a slash comes first. */
function mayBeRemote({ text, head, mayBeOption }: Arg): boolean {
  if (text !== null) return /^[^/]*:/.test(text);
  return head === "" ? mayBeOption : !/^[^:]*\//.test(head);
}

function isTarWriter(cluster: string): boolean {
  return /^-?[a-zA-Z]*[cxruA]/.test(cluster) || /^--(create|extract|append|update|delete)/.test(cluster);
}

/** `tar tzf x` is `tar -t -z -f x`: values follow in the order of their letters. */
function oldStyle(cluster: ShellCall["args"][number], rest: ShellCall["args"]): ShellCall["args"] {
  const values = [...rest];
  const args = Array.from(cluster.text!).flatMap((letter) => {
    const option = { ...cluster, text: `-${letter}`, head: `-${letter}`, mayBeOption: true };
    const value = "fCbFgHIKLNTVX".includes(letter) ? values.shift() : undefined;
    return value === undefined ? [option] : [option, value];
  });
  return [...args, ...values];
}

/** The first option decides what the archiver does. */
const sevenZip: Rule = (call) => {
  const [first, ...rest] = call.args;
  if (first?.text !== "l" && first?.text !== "t" && first?.text !== "i")
    return writes(`${call.name} ${first?.text ?? ""} is not one of its listing forms`, call.span);
  return judgeBySpec({ ...call, args: rest }, "-slt -ba -r -bd | in*");
};

const unzip: Rule = (call) => {
  const parsed = parseOptions(call, ". -l -v -t -p -Z -1 -z -q -C -c -h -m -s -M");
  if ("judgement" in parsed) return parsed;
  const late = parsed.operands.find((arg) => arg.mayBeOption && arg.text !== "-x");
  if (late !== undefined) return unproven(`unzip ${show(late)} after the archive`, late.span);
  const lists = ["-l", "-v", "-t", "-p", "-Z", "-z", "-c"].some((name) => parsed.options.has(name));
  if (!lists || parsed.operands.some((arg) => arg.many)) return writes("unzip extracts files", call.span);
  return null;
};

/** Compressors write beside the file unless told to print; of -d, -l and -t the last one counts, and -V goes on. */
const compressor: Rule = (call) => {
  if (asksForHelp(call)) return null;
  const parsed = parseOptions(
    call,
    "-# -c -d -l -t -q -v -f -k --stdout --to-stdout --decompress --list --test --keep --quiet --verbose",
  );
  if ("judgement" in parsed) return parsed;
  const { options, operands } = parsed;
  const has = (...names: readonly string[]): boolean => names.some((name) => options.has(name));
  if (has("-c", "--stdout", "--to-stdout") || operands.every((arg) => arg.text === "-")) return null;
  if (has("-l", "-t", "--list", "--test") && !has("-d", "--decompress")) return null;
  return writes(`${call.name} replaces files`, call.span);
};

const loaded: Rule = (call) => {
  const known = /^(--?\w+|\/(usr\/)?(s?bin|lib(64)?)\/(?!.*\.\.)[\w.+/-]+)$/;
  const foreign = call.args.find((arg) => !known.test(arg.text ?? ""));
  return foreign === undefined ? null : unproven("ldd may run the program it looks at", foreign.span);
};

/** Some programs read the letters after a value's letter, or after its number, as further options. */
const clusterless =
  (doubtful: RegExp, options: string): Rule =>
  (call) => {
    const cluster = call.args.find((arg) => doubtful.test(arg.text ?? ""));
    return cluster === undefined
      ? judgeBySpec(call, options)
      : unproven(`${call.name} ${show(cluster)} may name an output`, cluster.span);
  };

const dd: Rule = ({ args, span, walk }) => {
  const other = args.find((arg) => !/^(if|bs|ibs|cbs|count|skip|iflag|status)=/.test(arg.text ?? ""));
  for (const arg of args) if (arg.text?.startsWith("if=") === true) noteRead(literalArg(arg.text.slice(3), span), walk);
  return other === undefined ? null : writes(`dd ${show(other)} may write`, other.span ?? span);
};

const archive: Rule = (call) => {
  const [first] = call.args;
  if (!/^-?[tp]v?$/.test(first?.text ?? "")) return writes("ar changes the archive", call.span);
  return withoutOptionFiles("| in*")({ ...call, args: call.args.slice(1) });
};

const copyThrough: Rule = (call) =>
  judgeWith(call, "-t -v -i -n --list --verbose --quiet | data*", {
    names: "-t --list",
    otherwise: writes("cpio copies files", call.span),
  });

const changers =
  "rmdir ln chmod chown chgrp install truncate shred unlink link mkfifo mknod mktemp split csplit rename patch rsync scp sftp setfattr setfacl chattr unix2dos dos2unix fallocate mkfs mkswap swapoff fsck telinit init reboot shutdown halt poweroff useradd userdel usermod groupadd groupdel passwd chpasswd visudo pkill killall zip gpg-agent sponge ed ex vi vim nvim nano emacs pico joe logger wall write mesg uudecode loadkeys modprobe insmod rmmod mount umount losetup cryptsetup parted sfdisk cfdisk wipefs tune2fs resize2fs e2fsck renice chrt chsh chfn crontab at batch";

export const files: Table = {
  ...each(changers, change),
  ...each("mkdir touch mv cp rm", edit),
  ...each("ls dir vdir", "~ * -I= -w= -T= --ignore= --hide= --width= --tabsize= --block-size= --time-style= | in*"),
  ...each("exa eza lsd", "~ * -I= -L= -s= --level= --sort= --ignore-glob= --time-style= | in*"),
  du: "~ * -d= -B= -t= --format= --printf= --max-depth= --exclude= --block-size= --threshold= --relative-to= --relative-base= --files0-from=< --exclude-from=< | in*",
  stat: "~ * -c= -f --format= --printf= -t | in*",
  ...each("readlink realpath", "~ * --relative-to= --relative-base= | in*"),
  ...each("basename dirname", "~ * -s= --suffix= | data*"),
  pathchk: "~ * | data*",
  namei: "~ * | in*",
  ...each("lsattr getfattr getfacl", "~ * | in*"),
  file: "-b -i -k -L -h -n -N -r -s -v -0 -E -e= -f=< -F= -P= --brief --mime --mime-type --mime-encoding --keep-going --dereference --no-dereference --no-pad --raw --special-files --extension --separator= --exclude= --files-from=< --print0 -I -d | in*",
  tree: clusterless(
    /^-(?!-).*([PIoHT].|L(?!\d*$))/,
    "-a -d -l -f -x -L= -P= -I= --gitignore --ignore-case --matchdirs --prune --noreport --charset= --filelimit= --timefmt= -q -N -Q -p -u -g -s -h --si -D -F --inodes --device -v -t -c -U -r --dirsfirst --filesfirst --sort? -i -A -S -n -C -X -J --du --info --metafirst --version -o=> | in*",
  ),
  tar,
  dd,
  tsort: "~ | in",
  diff3: "~ -A -a -e -E -i -m -T -x -X -3 -L= --merge --text --show-all --easy-only --label= | in in in",
  ...each("7z 7za 7zr", sevenZip),
  unzip,
  zipinfo: "~ -1 -2 -s -m -l -v -h -t -z -T | in*",
  ...each("gzip gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd", compressor),
  ar: archive,
  cpio: copyThrough,
  ldd: loaded,
  nm: withoutOptionFiles(
    "-a -C -D -g -n -p -P -r -S -s -u -A -o -l -t= --demangle? --dynamic --extern-only --size-sort --defined-only --undefined-only --numeric-sort --print-size | in*",
  ),
  size: withoutOptionFiles("-A -B -d -x -o -t --format= --totals | in*"),
  objdump: withoutOptionFiles(
    "-a -d -D -f -h -p -r -R -s -S -t -T -x -C -l -w -M= -j= --all-headers --disassemble? --full-contents --section= --syms --dynamic-syms --demangle? --no-show-raw-insn | in*",
  ),
  readelf: withoutOptionFiles(
    "-a -h -l -S -s -d -r -n -V -W -e -t -x= -p= --all --file-header --program-headers --segments --sections --section-headers --symbols --syms --dyn-syms --dynamic --notes --relocs --wide --headers --string-dump= --hex-dump= | in*",
  ),
  ...each("cksfv", "~ * | in*"),
  mdls: "~ -name= -raw -nullMarker= | in*",
  mdfind: "~ * | in*",
  ...each("xattr", "~ -l -p= -r -v | in*"),
};
