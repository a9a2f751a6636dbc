/** `groundplan review [plan]`: the review page on any plan, until it is decided; the decision is the last line on stdout, as JSON. */
import { createHash } from "node:crypto";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { configHome, homeDirectory, projectRoot } from "../../agent/host/config-home.ts";
import { createFiles } from "../../agent/host/files/files.ts";
import { untilAborted } from "../../agent/answers/ask-surface.ts";
import { reviewsFolder } from "../../agent/answers/kept-answers.ts";
import { isNotFound } from "../../agent/library/find-plan.ts";
import { openLibrary } from "../../agent/library/library.ts";
import { makeVisible } from "../../core/wire/visible.ts";
import type { WaitingDesk } from "../../faces/browser/desks/desk.ts";
import { looseDesk } from "../../faces/browser/desks/loose-file.ts";
import { openBrowser } from "../../faces/browser/server/open.ts";
import { startServer } from "../../faces/browser/server/server.ts";
import { answerJson } from "../command.ts";
import { complain, tellPerson } from "../complaint.ts";
import { commandWith, flag, folder } from "../options.ts";
import { sessionDesk } from "../reviews/plan-desk.ts";

const usage = `groundplan review [plan]   the review page on a plan: a file, a name, a title or an id; the newest without one
groundplan review --waiting   one page with all plans that wait: of own sessions, teammates and other agents
  --no-open   only prints the link     --all   plans of every project     --cwd <dir>

The link is the first line on stdout, the decision the last one, as JSON:
  {"type":"review", "kind":"approve"|"revise"|"save"|"abandon"|"comment", "file", "session", "hash", "feedback", "comments", "plan", …}
Exit codes: 0 approved, 3 not approved, 130 interrupted, 1 failed, 2 wrong usage.
`;

const options = { "no-open": flag, all: flag, cwd: folder, waiting: flag };

export const review = commandWith(
  { name: "review", usage, options, words: { takes: "plan" } },
  async ({ values, positionals }, streams) => {
    if (positionals.length > 1) return complain(streams, `One plan at a time.\n${usage.trimEnd()}`, 2);
    const directory = values.cwd ?? process.cwd();
    const home = configHome();
    const tell = (line: string): void => tellPerson(streams, line);
    if (values.waiting === true) {
      if (positionals.length > 0 || values.all === true)
        return complain(streams, "--waiting shows the plans of every project; it takes no plan and no --all.", 2);
      const { showWaiting } = await import("../reviews/show-waiting.ts");
      return showWaiting({ streams, home, opens: values["no-open"] !== true });
    }
    const found = await findPlan(positionals[0] ?? null, { home, directory, tell, all: values.all === true });
    if ("problem" in found) return complain(streams, found.problem, 1);
    const { desk, keysFile } = found;
    const server = await startServer({ desk, keysFile, tell });
    if ("problem" in server) {
      desk.close();
      return complain(streams, server.problem, 1);
    }
    const interrupted = untilInterrupted();
    streams.stdout.on("error", () => undefined);
    const link = server.link();
    streams.stdout.write(`${link}\n`);
    if (values["no-open"] !== true) {
      const problem = await openBrowser({ url: link, home });
      if (problem !== null) tell(`the browser could not be opened (${problem}); open the link above yourself`);
    }
    const { session } = await desk.state(null);
    if (session !== null) {
      tell(
        session.live ? "the session runs: it hears you at once" : "the session does not run: it hears you when resumed",
      );
    }
    if (process.env["SSH_CONNECTION"] !== undefined) {
      tell(`on your own machine first: ssh -L ${server.port}:127.0.0.1:${server.port} <this machine>`);
    }
    const outcome = await Promise.race([desk.decided, interrupted.signal]);
    interrupted.stop();
    /** The page gets its answer before the server goes. */
    await pause(100);
    desk.close();
    await server.close();
    if (outcome === "interrupted") {
      tell("ended without a decision; nothing was approved");
      return 130;
    }
    if (outcome.delivered === false)
      tell(`kept; the session hears it when it is resumed: groundplan --resume ${outcome.session}`);
    answerJson(streams, outcome);
    return outcome.kind === "approve" ? 0 : 3;
  },
);

interface Problem {
  readonly problem: string;
}

interface Place {
  readonly home: string;
  readonly directory: string;
  readonly tell: (line: string) => void;
  readonly all: boolean;
}

/** A plan of a session whose log is there is answered through that session; any other is a file. */
async function findPlan(
  wanted: string | null,
  place: Place,
): Promise<{ desk: WaitingDesk; keysFile: string } | Problem> {
  const { home, directory, tell, all } = place;
  const project = await projectRoot(directory);
  const library = await openLibrary({ configHome: home, project, tell });
  const found = await library.find(wanted, { directory, all });
  if (isNotFound(found)) {
    const listed = found.candidates.map(({ id, title, file }) => `  ${id}  ${makeVisible(title)}  ${file}`);
    return { problem: [found.problem, ...listed].join("\n") };
  }
  const files = createFiles();
  const user = userInfo().username;
  const own = await sessionDesk(found, { home, tell, files, user });
  if (own !== null) {
    const keysFile = join(reviewsFolder(home, found.session ?? ""), `${found.id.replaceAll(/[^\w-]/g, "_")}.json`);
    return "problem" in own ? own : { desk: own, keysFile };
  }
  const desk = await looseDesk({
    file: found.file,
    files,
    user,
    home: homeDirectory(),
    project: found.project ?? project,
    isApproved: found.decisions.some(({ kind }) => kind === "approve"),
  });
  const key = createHash("sha256").update(found.file, "utf8").digest("hex").slice(0, 24);
  return "problem" in desk ? desk : { desk, keysFile: join(home, "reviews", "files", `${key}.json`) };
}

function untilInterrupted(): { readonly signal: Promise<"interrupted">; stop(): void } {
  const interrupted = new AbortController();
  const end = (): void => interrupted.abort();
  const alive = setInterval(() => undefined, 60_000);
  for (const name of signals) process.once(name, end);
  return {
    signal: untilAborted(interrupted.signal).then(() => "interrupted"),
    stop() {
      clearInterval(alive);
      for (const name of signals) process.removeListener(name, end);
    },
  };
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
