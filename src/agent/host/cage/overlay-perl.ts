/**
 * Runs another program with a work tree that is copy-on-write: in a user and mount namespace of its own everything is
 * read-only, and over the tree lies an overlay whose changes are in memory. When the program has ended, what it changed
 * is written to the report, and is gone. Arguments: numbers of prctl, unshare and mount, tree, folder for the changes,
 * size in bytes, report, folders that get memory of their own (with `:` between them), a mount that stays as it is (for
 * a program that has to write to /proc before it closes it), how many paths in the tree are hidden and these, then the
 * program.
 */
export const overlayLauncher = String.raw`
sub stop { print STDERR "groundplan: no overlay: $_[0]: $!\n"; exit 125 }
my ($prctl, $unshare, $mount, $tree, $space, $size, $report, $memory, $open, $count, @command) = @ARGV;
my @hidden = splice @command, 0, $count;
$_ += 0 for $prctl, $unshare, $mount;
open(my $out, '>', $report) or stop('report');
my ($uid, $gid) = ($> + 0, $) + 0);
syscall($prctl, 1, 15, 0, 0, 0);
syscall($unshare, 0x10020000) == 0 or stop('unshare');
sub put { my ($file, $text) = @_; open(my $to, '>', $file) or return; syswrite $to, $text; close $to }
put('/proc/self/setgroups', 'deny');
put('/proc/self/uid_map', "$uid $uid 1\n") or stop('uid_map');
put('/proc/self/gid_map', "$gid $gid 1\n") or stop('gid_map');
my $none = "none\0";
my $root = "/\0";
syscall($mount, $none, $root, 0, 0x44000, 0) == 0 or stop('private mounts');
my $readonly = pack 'QQQQ', 1, 0, 0, 0;
syscall(442, -100, $root, 0x8000, $readonly, length $readonly) == 0 or stop('read-only mounts');
my $writable = pack 'QQQQ', 0, 1, 0, 0;
$open .= "\0";
$open eq "\0" or syscall(442, -100, $open, 0, $writable, length $writable) == 0 or stop($open);
sub mounted {
  my ($kind, $where, $options) = map { "$_\0" } @_;
  syscall($mount, $kind, $where, $kind, 6, $options) == 0 or stop("$_[0] on $_[1]");
}
mounted('tmpfs', $_, "size=$size,nr_inodes=200000,mode=0700") for $space, split(/:/, $memory);
mkdir "$space/$_", 0700 or stop($_) for 'upper', 'work';
my $mode = (stat $tree)[2] & 07777;
chmod $mode, "$space/upper";
mounted('overlay', $tree, "lowerdir=$tree,upperdir=$space/upper,workdir=$space/work,userxattr");
open(my $blank, '>', "$space/blank") or stop('blank');
close $blank;
mkdir "$space/none";
chmod 0, "$space/blank", "$space/none";
for (@hidden) {
  my ($from, $to) = ((-d $_ ? "$space/none" : "$space/blank") . "\0", "$_\0");
  syscall($mount, $from, $to, 0, 0x1000, 0) == 0 or stop("hiding $_");
}
my $child = fork;
defined $child or stop('fork');
if (!$child) {
  syscall($prctl, 1, 9, 0, 0, 0);
  exec { $command[0] } @command;
  print STDERR "groundplan: $command[0]: $!\n";
  exit 127;
}
my $asked = 0;
$SIG{TERM} = sub { $asked = 1; kill 15, $child };
my $status = 0;
for (;;) {
  my $ended = waitpid $child, 0;
  if ($ended == $child) { $status = $?; last }
  last if $ended == -1 && $! != 4;
}
my $seen = 0;
sub list {
  my ($folder, $name) = @_;
  opendir(my $in, $folder) or return;
  my @names = grep { $_ ne '.' && $_ ne '..' } sort readdir $in;
  closedir $in;
  print $out "w$name\0" if !@names && $name ne '' && $seen++ < 1000;
  for (@names) {
    my ($path, $inner) = ("$folder/$_", $name eq '' ? $_ : "$name/$_");
    my @stat = lstat $path or next;
    if (-d _ && !-l _) { list($path, $inner); next }
    next if $seen++ >= 1000;
    print $out -c _ && $stat[6] == 0 ? "r$inner\0" : "w$inner\0";
  }
}
list("$space/upper", '');
print $out "=$seen\0";
close $out;
kill 9, $$ if $asked;
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
`;
