/** The version that an agent says of itself, asked in the cage. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch } from "../agent/host/launch/launch.ts";
import { end } from "./inside/process.ts";
import type { CrashGround } from "./leg.ts";
import { makePlace } from "./place.ts";
import { filesNamedBy, type CrashSubject } from "./subject.ts";

/** Null where it says none. */
export function versionOf({ row, program }: CrashSubject, { cage, scratch }: CrashGround): Promise<string | null> {
  if (row.name === "command") return Promise.resolve(null);
  const root = join(scratch, "version");
  mkdirSync(root);
  const place = makePlace(root);
  const [file = "", ...args] = cage.confine([...program, "--version"], { place, visible: filesNamedBy(program) });
  const environment = { PATH: process.env["PATH"] ?? "", HOME: place.home, TMPDIR: place.temporary };
  const child = launch({
    program: file,
    args,
    directory: "/",
    environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  if (child instanceof Error) return Promise.resolve(null);
  return new Promise((settle) => {
    let said = "";
    const timer = setTimeout(() => end(child), 60_000);
    for (const stream of [child.stdout!, child.stderr!])
      stream.on("data", (bytes: Buffer) => (said = (said + bytes.toString()).slice(0, 2000)));
    child.on("close", (code) => {
      clearTimeout(timer);
      settle(code !== 0 ? null : (/\d+\.\d+\.\d+[\w.-]*/.exec(said)?.[0] ?? null));
    });
  });
}
