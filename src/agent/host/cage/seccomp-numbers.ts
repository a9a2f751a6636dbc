/** Numbers of system calls, by what the cage does with them, on each processor (data). */

export type Processor = "x64" | "arm64";

export interface CallNumbers {
  readonly audit: number;
  readonly prctl: number;
  readonly capset: number;
  readonly openat: number;
  readonly close: number;
  readonly setsid: number;
  /** The flags O_PATH, O_CLOEXEC and O_NOFOLLOW. */
  readonly pathOnly: number;
  readonly clone: number;
  readonly socket: number;
  readonly socketpair: number;
  readonly ioctl: number;
  readonly fcntl: number;
  readonly kill: number;
  readonly tgkill: number;
  /** openat, and open where it exists: the position of the flags is that of the second argument with a folder before it. */
  readonly opening: readonly (readonly [call: number, flags: number])[];
  /**
   * Refused with EPERM whatever the arguments, in this order: ptrace, process_vm_readv, process_vm_writev, kcmp; add_key,
   * request_key, keyctl; pivot_root, chroot, mount, umount2, swapon, swapoff, unshare, setns; acct, settimeofday, reboot,
   * sethostname, setdomainname, quotactl, clock_settime, clock_adjtime; (iopl, ioperm,) init_module, delete_module,
   * kexec_load, finit_module, kexec_file_load; vhangup, perf_event_open, open_by_handle_at, bpf, userfaultfd.
   */
  readonly refused: readonly number[];
  /** (chmod,) fchmod, fchmodat, (chown, lchown,) fchown, fchownat; (utime, utimes, futimesat,) utimensat; set- and removexattr. */
  readonly metadata: readonly number[];
  /** shmget, shmat, shmctl, semget, semop, semctl, semtimedop, msgget, msgsnd, msgrcv, msgctl, mq_open, mq_unlink. */
  readonly sharedMemory: readonly number[];
  /** prlimit64, sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr, migrate_pages, move_pages: the first argument is a process. */
  readonly ofProcess: readonly number[];
  /** setpriority, ioprio_set: the second argument is a process where the first one is this; groups and people otherwise. */
  readonly ofSecond: readonly (readonly [call: number, oneProcess: number])[];
  /** tkill, rt_sigqueueinfo, rt_tgsigqueueinfo. */
  readonly signals: readonly number[];
  readonly truncate: number;
}

/** The same numbers on both processors: mount calls of the new kind, pidfd_getfd, process_madvise, mount_setattr, quotactl_fd. */
export const refusedEverywhere = [428, 429, 430, 431, 432, 433, 438, 440, 442, 443];
/** fchmodat2, setxattrat, removexattrat, file_setattr. */
export const metadataEverywhere = [452, 463, 466, 469];
/** io_uring_setup, io_uring_enter, io_uring_register, clone3: answered as by a kernel without them, so that programs take the older way. */
export const absentEverywhere = [425, 426, 427, 435];
export const openat2 = 437;
export const pidfdSendSignal = 424;

export const numbers: Readonly<Record<Processor, CallNumbers>> = {
  x64: {
    audit: 0xc000003e,
    prctl: 157,
    capset: 126,
    openat: 257,
    close: 3,
    setsid: 112,
    pathOnly: 0x2a0000,
    clone: 56,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    fcntl: 72,
    kill: 62,
    tgkill: 234,
    opening: [
      [2, 1],
      [257, 2],
    ],
    refused: [
      101, 310, 311, 312, 248, 249, 250, 155, 161, 165, 166, 167, 168, 272, 308, 163, 164, 169, 170, 171, 179, 227, 305,
      172, 173, 175, 176, 246, 313, 320, 153, 298, 304, 321, 323,
    ],
    metadata: [90, 91, 268, 92, 94, 93, 260, 132, 235, 261, 280, 188, 189, 190, 197, 198, 199],
    sharedMemory: [29, 30, 31, 64, 65, 66, 220, 68, 69, 70, 71, 240, 241],
    ofProcess: [302, 142, 144, 203, 314, 256, 279],
    ofSecond: [
      [141, 0],
      [251, 1],
    ],
    signals: [200, 129, 297],
    truncate: 76,
  },
  arm64: {
    audit: 0xc00000b7,
    prctl: 167,
    capset: 91,
    openat: 56,
    close: 57,
    setsid: 157,
    pathOnly: 0x288000,
    clone: 220,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    fcntl: 25,
    kill: 129,
    tgkill: 131,
    opening: [[56, 2]],
    refused: [
      117, 270, 271, 272, 217, 218, 219, 41, 51, 40, 39, 224, 225, 97, 268, 89, 170, 142, 161, 162, 60, 112, 266, 105,
      106, 104, 273, 294, 58, 241, 265, 280, 282,
    ],
    metadata: [52, 53, 55, 54, 88, 5, 6, 7, 14, 15, 16],
    sharedMemory: [194, 196, 195, 190, 193, 191, 192, 186, 189, 188, 187, 180, 181],
    ofProcess: [261, 118, 119, 122, 274, 238, 239],
    ofSecond: [
      [140, 0],
      [30, 1],
    ],
    signals: [130, 138, 240],
    truncate: 45,
  },
};
