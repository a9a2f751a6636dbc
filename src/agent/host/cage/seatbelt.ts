/**
 * The profile of macOS's sandbox-exec for a command that may read everything and change nothing (pure, B1.4).
 * Written from Apple's profile language and checked as text only: no test machine runs macOS; the self-test decides at start.
 */
import type { Cage } from "./types.ts";

export interface SeatbeltPlaces {
  /** The one real folder where programs may write. */
  readonly scratch: string;
  readonly network: boolean;
}

export function seatbeltCage(scratch: string): Cage {
  return {
    name: "sandbox-exec",
    program: "/usr/bin/sandbox-exec",
    confine: ({ command, network, environment }) => ({
      argv: seatbeltArguments({ scratch, network: network === "tcp" }, command),
      environment: environment(scratch),
      endsItsOwn: false,
    }),
  };
}

/** The argument vector, sandbox-exec first. */
export function seatbeltArguments(places: SeatbeltPlaces, command: readonly string[]): string[] {
  return ["/usr/bin/sandbox-exec", "-p", seatbeltProfile(places), ...command];
}

export function seatbeltProfile({ scratch, network }: SeatbeltPlaces): string {
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec)",
    "(allow process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow file-read*)",
    "(allow file-test-existence)",
    "(allow user-preference-read)",
    "(allow pseudo-tty)",
    "(allow ipc-posix-sem)",
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    '(allow mach-lookup (global-name "com.apple.system.logger"))',
    `(allow file-write* (subpath ${quoted(scratch)}))`,
    '(allow file-write-data (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))',
    '(allow file-ioctl (literal "/dev/null") (literal "/dev/dtracehelper"))',
    ...(network
      ? [
          "(allow network-outbound (remote ip))",
          '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
          '(allow network-outbound (literal "/private/var/run/docker.sock"))',
          "(allow system-socket)",
          '(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd"))',
          '(allow mach-lookup (global-name "com.apple.trustd.agent"))',
          '(allow mach-lookup (global-name "com.apple.SecurityServer"))',
        ]
      : []),
    "",
  ].join("\n");
}

function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
