/**
 * The launcher of the Landlock cage in perl (builtins alone, no module). It reads from descriptor 3, separated by NUL:
 * numbers of prctl, capset, openat, close and setsid, flags for openat, ruleset and filter in hex, the directory, then `rights:path`.
 * The confined process is a child in a session of its own, from which no way leads to the group of this one: when it ends, or when asked by SIGTERM, everything that it started is ended with it.
 * The signal's handler ends the child itself: perl goes on waiting after a signal.
 */
export const perlLauncher = String.raw`
sub stop { print STDERR "groundplan: the cage cannot be built: $_[0]: $!\n"; exit 126 }
open(my $in, '<&=', 3) or stop('descriptor 3');
my ($prctl, $capset, $openat, $close, $setsid, $flags, $attr, $filter, $dir, @rules) = do { local $/; split /\0/, <$in>, -1 };
close $in;
$_ += 0 for $prctl, $capset, $openat, $close, $setsid, $flags;
my $asked = 0;
$SIG{TERM} = sub { $asked = 1 };
my $parent = getppid;
syscall($prctl, 36, 1, 0, 0, 0) == 0 or stop('subreaper');
syscall($prctl, 1, 15, 0, 0, 0);
exit 126 if getppid != $parent;
my $child = fork;
defined $child or stop('fork');
if (!$child) {
  $SIG{TERM} = 'DEFAULT';
  syscall($prctl, 1, 9, 0, 0, 0);
  syscall($setsid) >= 0 or stop('setsid');
  $attr = pack 'H*', $attr;
  my $set = syscall(444, $attr, length $attr, 0);
  $set >= 0 or stop('landlock_create_ruleset');
  for (@rules) {
    my ($rights, $path) = split /:/, $_, 2;
    $path .= "\0";
    my $fd = syscall($openat, -100, $path, $flags, 0);
    next if $fd < 0;
    my $rule = pack 'Qi', $rights, $fd;
    syscall(445, $set, 1, $rule, 0);
    syscall($close, $fd);
  }
  chdir $dir or stop($dir);
  syscall($prctl, 24, $_, 0, 0, 0) for 0 .. 63;
  syscall($prctl, 38, 1, 0, 0, 0) == 0 or stop('no_new_privs');
  syscall(446, $set, 0) == 0 or stop('landlock_restrict_self');
  my ($head, $none) = (pack('LL', 0x20080522, 0), "\0" x 24);
  syscall($capset, $head, $none) == 0 or stop('capset');
  syscall(436, 3, 0xffffffff, 0) == 0 or stop('close_range');
  my $bytes = pack 'H*', $filter;
  my $program = pack 'S x6 P', length($bytes) / 8, $bytes;
  syscall($prctl, 22, 2, $program, 0, 0) == 0 or stop('seccomp');
  exec { $ARGV[0] } @ARGV;
  print STDERR "groundplan: $ARGV[0]: $!\n";
  exit 127;
}
sub kids {
  my $list = '';
  if (open my $file, '<', "/proc/$$/task/$$/children") { $list = <$file>; return split ' ', $list // '' }
  opendir my $proc, '/proc' or return ();
  return grep { /^\d+$/ && open(my $stat, '<', "/proc/$_/stat") && <$stat> =~ /.*\) \S (\d+)/s && $1 == $$ } readdir $proc;
}
my $status = 0;
$SIG{TERM} = sub { $asked = 1; kill 9, $child };
kill 9, $child if $asked;
until ($asked) {
  my $ended = waitpid -1, 0;
  if ($ended == $child) { $status = $?; last }
  last if $ended == -1 && $! != 4;
}
for (;;) {
  kill 9, kids();
  my $ended;
  1 while ($ended = waitpid -1, 1) > 0;
  last if $ended == -1;
  select undef, undef, undef, 0.002;
}
kill 9, $$ if $asked;
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
`;
