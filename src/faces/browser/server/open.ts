/** Opens the person's browser on a link, by the system's own way; the link itself is in no program's arguments. */
import { isAbsolute } from "node:path";
import { personalEnvironment } from "../../../agent/host/launch/environment.ts";
import { launch } from "../../../agent/host/launch/launch.ts";
import { leaveEntryPage } from "./entry-page.ts";

export interface Opening {
  readonly url: string;
  /** The config home. */
  readonly home: string;
  readonly platform?: NodeJS.Platform;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Null when it was started, else why not. */
export async function openBrowser({
  url,
  home,
  platform = process.platform,
  environment = process.env,
}: Opening): Promise<string | null> {
  const page = await leaveEntryPage(home, url).catch((error: Error) => error);
  if (typeof page !== "string") return `its link could not be left in ${home}: ${page.message}`;
  const [program, ...args] = commandFor(platform, environment, page);
  const directory = process.cwd();
  const child = launch({
    program,
    args,
    directory,
    environment: personalEnvironment(environment, directory),
    stdio: "ignore",
    detached: true,
  });
  if (child instanceof Error) return `${program}: ${child.message}`;
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`${program}: ${error.message}`));
    child.once("exit", (code) => resolve(code === 0 || code === null ? null : `${program} ended with ${code}`));
    child.once("spawn", () => setTimeout(() => resolve(null), startMs).unref());
    child.unref();
  });
}

/** A program that has not failed by then has taken the URL. */
const startMs = 1500;

function commandFor(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
  url: string,
): readonly [program: string, ...args: string[]] {
  const own = environment["BROWSER"];
  if (own !== undefined && /^[\w./-]+$/.test(own) && (isAbsolute(own) || !own.includes("/"))) return [own, url];
  if (platform === "darwin") return ["open", url];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}
