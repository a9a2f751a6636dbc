"""Tries to leave the cage; prints one line for each attempt: its name, and `held` or `broke`. Arguments: project, pid outside, TCP port, abstract socket, socket file."""
import ctypes, errno, fcntl, mmap, os, resource, signal, socket, struct, subprocess, sys
project, outside, port, abstract, listening = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
kept, scratch = project + "/kept", os.environ["TMPDIR"]
libc = ctypes.CDLL(None, use_errno=True)
AT = -100
def call(number, *args):
    words = [ctypes.c_char_p(a.encode()) if isinstance(a, str) else a if isinstance(a, (bytes, ctypes._SimpleCData, ctypes.Array)) else ctypes.c_long(a) for a in args]
    result = libc.syscall(ctypes.c_long(number), *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result
def readable():
    return os.open(kept, os.O_RDONLY)
def write(path, text="x"):
    with open(path, "a") as file:
        file.write(text)
        file.flush()
def shell(text):
    subprocess.run(["bash", "-c", text], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=8)
def crossed(path):
    with open(path, "rb") as file:
        assert file.read(1)
def shared():
    area = mmap.mmap(readable(), 4, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
    area[0] = 1
def linked():
    os.link(kept, scratch + "/linked")
    write(scratch + "/linked")
def through():
    os.symlink(kept, scratch + "/through")
    write(scratch + "/through")
def moved():
    write(scratch + "/mine")
    os.rename(scratch + "/mine", project + "/mine")
def exchanged():
    write(scratch + "/other")
    call(316, AT, scratch + "/other", AT, kept, 2)
def anonymous():
    number = os.open(project, os.O_TMPFILE | os.O_WRONLY, 0o600)
    os.link("/proc/self/fd/%d" % number, project + "/anonymous", follow_symlinks=True)
def listens():
    server = socket.socket()
    server.bind(("0.0.0.0", 0))
    server.listen()
    if os.path.exists("/proc/%d" % outside):
        raise SystemExit
    raise OSError(1, "a network of its own")
def connects(family, address, kind=socket.SOCK_STREAM):
    one = socket.socket(family, kind)
    one.settimeout(2)
    one.connect(address)
    one.send(b"broke")
def opened(family, kind, protocol=0):
    socket.socket(family, kind, protocol)
    if not os.path.exists("/proc/%d" % outside):
        raise OSError(1, "a network of its own")
def status(name, fine):
    with open("/proc/self/status") as file:
        value = [line.split()[1] for line in file if line.startswith(name + ":")][0]
    if fine(value):
        raise OSError(1, "as it should be")
def asynchronous():
    context = ctypes.c_ulong(0)
    call(206, 8, ctypes.cast(ctypes.byref(context), ctypes.c_void_p))
    data = ctypes.create_string_buffer(b"x")
    block = ctypes.create_string_buffer(struct.pack("<QIIHhIQQqQII", 0, 0, 0, 1, 0, readable(), ctypes.addressof(data), 1, 0, 0, 0, 0))
    listing = (ctypes.c_void_p * 1)(ctypes.addressof(block))
    call(209, context.value, 1, ctypes.cast(listing, ctypes.c_void_p))
def stolen():
    number = call(434, outside, 0)
    call(438, number, 1, 0)
def signalled():
    call(424, call(434, outside, 0), 0, 0, 0)
def handle():
    buffer = ctypes.create_string_buffer(struct.pack("<Ii", 128, 0) + bytes(128))
    where = ctypes.c_int(0)
    call(303, AT, kept, buffer, ctypes.cast(ctypes.byref(where), ctypes.c_void_p), 0)
    call(304, os.open(project, os.O_RDONLY), buffer, os.O_WRONLY)
def persistent():
    number = call(29, 0x67706c6e, 4096, 0o1666)
    if not os.path.exists("/proc/%d" % outside):
        raise OSError(1, "of its own")
def queue():
    call(240, "groundplan-attack", os.O_CREAT | os.O_RDWR, 0o600, 0)
    if not os.path.exists("/proc/%d" % outside):
        raise OSError(1, "of its own")
def setting(path, text="0"):
    with open(path, "w") as file:
        file.write(text)
def descriptors():
    left = [name for name in os.listdir("/proc/self/fd") if int(name) > 2 and not os.readlink("/proc/self/fd/" + name).startswith(("/dev/null", "/proc/"))]
    if not left:
        raise OSError(1, "none")
theirs = "/proc/%d/" % outside
attempts = {
    "write": lambda: write(kept), "create": lambda: write(project + "/new"), "anonymous file": anonymous, "truncate": lambda: os.truncate(kept, 0),
    "fifo": lambda: os.mkfifo(project + "/fifo"), "device": lambda: os.mknod(project + "/node", 0o600 | 0o020000, os.makedev(1, 3)),
    "socket file": lambda: socket.socket(socket.AF_UNIX).bind(project + "/socket"), "symbolic link": lambda: os.symlink("/", project + "/link"),
    "second name": linked, "through a link": through, "moved in": moved, "exchanged": exchanged, "removed": lambda: os.unlink(kept), "folder": lambda: os.mkdir(project + "/folder"),
    "shared memory of a file": shared, "hole": lambda: call(285, readable(), 3, 0, 1), "mode by descriptor": lambda: os.fchmod(readable(), 0o777),
    "owner by descriptor": lambda: os.fchown(readable(), 12, 12), "times by descriptor": lambda: os.utime(readable(), (1, 1)), "attribute": lambda: os.setxattr(kept, "user.x", b"x"),
    "attribute by descriptor": lambda: os.setxattr(readable(), "user.x", b"x"), "flags": lambda: fcntl.ioctl(readable(), 0x40086602, struct.pack("l", 0x10)),
    "clone onto": lambda: fcntl.ioctl(readable(), 0x40049409, readable()), "new mode call": lambda: call(452, AT, kept, 0o777, 0), "new attribute call": lambda: call(463, AT, kept, 0, "user.x", ctypes.create_string_buffer(24), 24),
    "opened again": lambda: write("/proc/self/fd/%d" % readable()), "by own root": lambda: write("/proc/self/root" + kept), "by own folder": lambda: write("/proc/self/cwd/../project/kept"),
    "by their folder": lambda: write(theirs + "cwd/kept"), "by their root": lambda: write(theirs + "root" + kept), "by handle": handle, "asynchronous": asynchronous,
    "home": lambda: write(os.environ["HOME"] + "/new"), "temporary folder": lambda: write("/var/tmp/groundplan-attack"), "spool": lambda: write("/var/spool/groundplan-attack"),
    "accounting": lambda: call(163, project + "/kept"), "swap": lambda: call(167, kept, 0), "quota": lambda: call(179, 0x80000100, "/dev/null", 0, 0),
    "root changed": lambda: os.chroot(scratch), "pivot": lambda: call(155, scratch, scratch), "mount": lambda: call(165, "none", project, "tmpfs", 0, 0), "bind": lambda: call(165, scratch, project, "none", 4096, 0),
    "open_tree": lambda: call(428, AT, project, 1), "fsopen": lambda: call(430, "tmpfs", 0), "mount attribute": lambda: call(442, AT, "/", 0x8000, struct.pack("QQQQ", 0, 1, 0, 0), 32), "unmount": lambda: call(166, "/proc", 2),
    "namespace": lambda: call(272, 0x10000000), "their namespace": lambda: call(308, os.open(theirs + "ns/mnt", os.O_RDONLY), 0), "signal": lambda: os.kill(outside, 0), "queued signal": lambda: call(129, outside, 0, bytes(128)),
    "signal by descriptor": signalled, "stolen descriptor": stolen, "thread signal": lambda: call(234, outside, outside, 0), "their limits": lambda: resource.prlimit(outside, resource.RLIMIT_NOFILE, (64, 64)),
    "their priority": lambda: os.setpriority(os.PRIO_PROCESS, outside, 5), "their processors": lambda: os.sched_setaffinity(outside, {0}), "their scheduler": lambda: os.sched_setscheduler(outside, os.SCHED_BATCH, os.sched_param(0)),
    "their disk priority": lambda: call(251, 1, outside, 0x4007), "their memory": lambda: crossed(theirs + "mem"), "their environment": lambda: crossed(theirs + "environ"), "their maps": lambda: crossed(theirs + "maps"),
    "their descriptors": lambda: os.readlink(theirs + "fd/0"), "their memory by call": lambda: call(310, outside, bytes(16), 1, bytes(16), 1, 0), "traced": lambda: call(101, 0x4206, outside, 0, 0), "compared": lambda: call(312, outside, os.getpid(), 0, 1, 1),
    "their life": lambda: setting(theirs + "oom_score_adj"), "their name": lambda: setting(theirs + "comm", "x"), "moved pages": lambda: call(279, outside, 0, 0, 0, 0, 0),
    "host name": lambda: call(170, "broken", 6), "clock": lambda: call(227, 0, struct.pack("qq", 1, 0)), "clock adjusted": lambda: call(159, struct.pack("I", 0x4000) + bytes(256)), "caches": lambda: setting("/proc/sys/vm/drop_caches", "1"),
    "sysrq": lambda: setting("/proc/sysrq-trigger", "h"), "core pattern": lambda: setting("/proc/sys/kernel/core_pattern", "core"), "cgroup": lambda: os.mkdir("/sys/fs/cgroup/groundplan-attack"), "kernel log": lambda: setting("/dev/kmsg", "groundplan"),
    "modules": lambda: call(313, readable(), "", 0), "kexec": lambda: call(246, 0, 0, 0, 0), "bpf": lambda: call(321, 5, bytes(128), 128), "perf": lambda: call(298, bytes(128), 0, -1, -1, 0), "ring": lambda: call(425, 8, ctypes.create_string_buffer(120)),
    "fault handler": lambda: call(323, 0), "keys": lambda: call(248, "user", "groundplan", "x", 1, -3), "watching everything": lambda: call(300, 0, 0), "kept shared memory": persistent, "kept queue": queue,
    "listening": listens, "TCP": lambda: connects(socket.AF_INET, ("127.0.0.1", port)), "TCP by the other family": lambda: connects(socket.AF_INET6, ("::ffff:127.0.0.1", port)), "abstract socket": lambda: connects(socket.AF_UNIX, "\0" + abstract),
    "socket by name": lambda: connects(socket.AF_UNIX, listening), "datagram": lambda: opened(socket.AF_INET, socket.SOCK_DGRAM), "raw": lambda: opened(socket.AF_INET, socket.SOCK_RAW, 1), "packets": lambda: opened(socket.AF_PACKET, socket.SOCK_RAW), "devices heard": lambda: opened(socket.AF_NETLINK, socket.SOCK_RAW, 15), "sockets asked": lambda: opened(socket.AF_NETLINK, socket.SOCK_RAW, 4), "audit": lambda: opened(socket.AF_NETLINK, socket.SOCK_RAW, 9),
    "other machines' sockets": lambda: opened(40, socket.SOCK_STREAM), "terminal": lambda: os.open("/dev/tty", os.O_RDWR), "console": lambda: setting("/dev/console", "x"), "raw memory": lambda: os.open("/dev/mem", os.O_RDWR), "raw disk": lambda: os.open("/dev/vda", os.O_RDWR), "device file system": lambda: os.open("/dev/fuse", os.O_RDWR),
    "device's mode": lambda: os.chmod("/dev/null", 0o666), "new privileges": lambda: status("NoNewPrivs", lambda value: value == "1"), "capabilities": lambda: status("CapEff", lambda value: int(value, 16) == 0), "capabilities to come": lambda: status("CapPrm", lambda value: int(value, 16) == 0),
    "descriptors of ours": descriptors, "user changed": lambda: os.setuid(0 if os.getuid() else 1), "groups changed": lambda: os.setgroups([0, 5]), "set-user program": lambda: shell("su -c true root"), "scheduled": lambda: shell("echo true | at now || systemd-run true || (crontab -l; echo) | crontab -"),
}
for name, attempt in attempts.items():
    try:
        attempt()
        print(name, "broke", sep="\t")
        if name == "write":
            break
    except (OSError, subprocess.SubprocessError, ValueError, AssertionError) as error:
        print(name, "held", sep="\t")
    except SystemExit:
        print(name, "broke", sep="\t")
    sys.stdout.flush()
