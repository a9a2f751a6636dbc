/**
 * The profile of macOS's sandbox-exec for a command that may read everything and change nothing (pure, B1.4).
 * Written from Apple's profile language and checked as text only: no test machine runs macOS; the self-test decides at start.
 */
import type { Cage, CageWish } from "./types.ts";

export interface SeatbeltPlaces extends Pick<CageWish, "socket" | "visible" | "hide"> {
  /** The one real folder where programs may write. */
  readonly scratch: string;
  readonly network: boolean;
  /** Folders that cannot be read but for what is visible in them. */
  readonly closed: readonly string[];
}

export function seatbeltCage({ scratch, closed }: Pick<SeatbeltPlaces, "scratch" | "closed">): Cage {
  return {
    name: "sandbox-exec",
    program: "/usr/bin/sandbox-exec",
    confine: ({ command, network, socket, visible, hide, environment }) => ({
      argv: seatbeltArguments({ scratch, network: network === "tcp", socket, closed, visible, hide }, command),
      environment: environment(scratch),
      ending: "searched",
    }),
  };
}

export function seatbeltArguments(places: SeatbeltPlaces, command: readonly string[]): string[] {
  return ["/usr/bin/sandbox-exec", "-p", seatbeltProfile(places), ...command];
}

export function seatbeltProfile({ scratch, network, socket, closed, visible, hide }: SeatbeltPlaces): string {
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec)",
    "(allow process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow file-read*)",
    ...closed.map((folder) => `(deny file-read* (subpath ${quoted(folder)}))`),
    ...visible
      .filter((path) => closed.some((folder) => path.startsWith(`${folder}/`)))
      .map((path) => `(allow file-read* (subpath ${quoted(path)}))`),
    ...hide.map((path) => `(deny file-read* (subpath ${quoted(path)}))`),
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
          "(allow system-socket)",
          '(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd"))',
          '(allow mach-lookup (global-name "com.apple.trustd.agent"))',
          '(allow mach-lookup (global-name "com.apple.SecurityServer"))',
        ]
      : []),
    ...(socket === undefined ? [] : [`(allow network-outbound (literal ${quoted(socket)}))`, "(allow system-socket)"]),
    "",
  ].join("\n");
}

function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
