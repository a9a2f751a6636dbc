/** The launcher of the Landlock cage in python3: the same words on descriptor 3 and the same steps as in perl. */
export const pythonLauncher = String.raw`
import ctypes, os, _signal as signal, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def stop(what):
    sys.stderr.write("groundplan: the cage cannot be built: %s: %s\n" % (what, os.strerror(ctypes.get_errno())))
    sys.stderr.flush()
    os._exit(126)
def call(number, *args):
    return libc.syscall(ctypes.c_long(number), *[a if isinstance(a, (bytes, ctypes.Structure)) else ctypes.c_long(a) for a in args])
plan = b""
while True:
    part = os.read(3, 65536)
    if not part:
        break
    plan += part
os.close(3)
fields = plan.split(b"\0")
prctl, capset, openat, close, setsid, flags = [int(field) for field in fields[:6]]
attr, code, place, rules = bytes.fromhex(fields[6].decode()), bytes.fromhex(fields[7].decode()), fields[8], fields[9:]
asked = []
def ask(*_):
    asked.append(1)
signal.signal(signal.SIGTERM, ask)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
parent = os.getppid()
if call(prctl, 36, 1, 0, 0, 0) != 0:
    stop("subreaper")
call(prctl, 1, 15, 0, 0, 0)
if os.getppid() != parent:
    os._exit(126)
child = os.fork()
if child == 0:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    call(prctl, 1, 9, 0, 0, 0)
    os.setsid()
    ruleset = call(444, attr, len(attr), 0)
    if ruleset < 0:
        stop("landlock_create_ruleset")
    for rule in rules:
        rights, path = rule.split(b":", 1)
        fd = call(openat, -100, path, flags, 0)
        if fd >= 0:
            call(445, ruleset, 1, struct.pack("<Qi", int(rights), fd), 0)
            call(close, fd)
    try:
        os.chdir(place)
    except OSError:
        stop("the directory")
    for capability in range(64):
        call(prctl, 24, capability, 0, 0, 0)
    if call(prctl, 38, 1, 0, 0, 0) != 0:
        stop("no_new_privs")
    if call(446, ruleset, 0) != 0:
        stop("landlock_restrict_self")
    if call(capset, struct.pack("<LL", 0x20080522, 0), bytes(24)) != 0:
        stop("capset")
    if call(436, 3, 0xFFFFFFFF, 0) != 0:
        stop("close_range")
    kept = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("<HxxxxxxQ", len(code) // 8, ctypes.addressof(kept))
    if call(prctl, 22, 2, program, 0, 0) != 0:
        stop("seccomp")
    try:
        os.execv(sys.argv[1], sys.argv[1:])
    except OSError as error:
        os.write(2, ("groundplan: %s: %s\n" % (sys.argv[1], error.strerror)).encode())
    os._exit(127)
def kids():
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        pass
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit():
                with open("/proc/%s/stat" % name) as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == os.getpid():
                        found.append(int(name))
        except OSError:
            pass
    return found
class Asked(Exception):
    pass
def interrupt(*_):
    asked.append(1)
    raise Asked()
status = 0
try:
    signal.signal(signal.SIGTERM, interrupt)
    while not asked:
        ended, how = os.waitpid(-1, 0)
        if ended == child:
            status = how
            break
except (Asked, ChildProcessError):
    pass
signal.signal(signal.SIGTERM, ask)
while True:
    for pid in kids():
        try:
            os.kill(pid, 9)
        except OSError:
            pass
    try:
        while os.waitpid(-1, os.WNOHANG)[0] > 0:
            pass
    except ChildProcessError:
        break
    time.sleep(0.002)
if asked:
    os.kill(os.getpid(), 9)
os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
`;
