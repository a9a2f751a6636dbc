/** A teammate's plan comes back: another process takes it into a session of its own, over files and over NATS (R14.4). */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { answerPlan, lookAtInbox, type LeadDecision } from "../../src/program/team/requests.ts";
import { readMembers } from "../../src/program/team/roster.ts";
import { readClaim, readWork } from "../../src/program/team/work.ts";
import type { Mailbox } from "../../src/mail/mailbox.ts";
import { openMailbox } from "../../src/mail/open-mailbox.ts";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { finish, planFileIn, setStage, treeHashes, type Ran, type Stage } from "../headless/program.ts";
import { needs } from "../support/needs.ts";
import { startNats, type NatsServers } from "../team-mailbox/nats-servers.ts";
import { eventually } from "./story.ts";

const first = "# Add b\n\n1. Create `b.ts`\n";
const second = "# Add b\n\n1. Create `b.ts`\n2. Test it\n";

/** The teammate writes and submits, sent back it does so once more; whoever goes on with its plan says what it was told. */
function script({ body: asked }: { readonly body: unknown }): ScriptedTurn {
  const body = JSON.stringify(asked);
  if (body.includes("that the teammate bo@default began")) {
    return body.includes("submit it") && !body.includes("tool_result")
      ? { calls: [{ tool: "ExitPlanMode", input: {} }] }
      : { text: "I go on." };
  }
  const write = (content: string): ScriptedTurn => ({
    calls: [{ tool: "Write", input: { file_path: planFileIn(body), content } }],
  });
  if (body.includes("think about it")) return { text: "No idea." };
  const isSentBack = body.includes("did not approve the plan");
  const said = (words: string): number => body.split(words).length - 1;
  if (said("Your plan was sent to the team lead") > (isSentBack ? 1 : 0)) return { text: "I wait." };
  if (isSentBack && !body.includes("2. Test it")) return write(second);
  if (!body.includes("1. Create")) return write(first);
  return { calls: [{ tool: "ExitPlanMode", input: {} }] };
}

const fresh = ["add b", "--plan-required", "--permission-mode", "acceptEdits"];
const drivers = [
  ["files", {}],
  ["nats", needs("nats-server")],
] as const;

describe.each(drivers)("R14.4 team take over %s", (driver, options) => {
  describe("as programs", options, () => {
    let servers: NatsServers | null = null;
    const stages: Stage[] = [];
    beforeAll(async () => {
      if (driver === "nats") servers = await startNats(1);
    });
    afterEach(async () => {
      for (const stage of stages.splice(0)) await stage.close();
    });
    afterAll(() => servers?.stop());

    interface Told {
      readonly stage: Stage;
      readonly start: (...args: string[]) => ReturnType<Stage["start"]>;
      /** What both share, opened by the lead. */
      readonly open: () => Promise<Mailbox>;
      readonly team: (...args: string[]) => Promise<Ran>;
      /** From the taker's machine, where there is another one. */
      readonly take: (...args: string[]) => ReturnType<Stage["start"]>;
      readonly there: (args: readonly string[]) => Promise<Ran>;
      readonly status: () => Promise<{ readonly status: string; readonly session: string } | undefined>;
    }

    /** Over NATS the taker has a home of its own: nothing is shared but the server and the team's secret. */
    async function tell(): Promise<Told> {
      const stage = await setStage({ script });
      stages.push(stage);
      const secret = join(stage.home, "../team-secret");
      writeFileSync(secret, `${"s".repeat(40)}\n`, { mode: 0o600 });
      const shared = { GROUNDPLAN_TEAM_SECRET_FILE: secret };
      const home = driver === "nats" ? { GROUNDPLAN_HOME: join(stage.home, "../taker") } : {};
      const over = servers === null ? {} : { transport: "nats", natsUrl: servers.url };
      const settings = ["--settings", JSON.stringify({ team: { name: "default", ...over } })];
      const elsewhere = { environment: { ...shared, ...home } };
      const team = (...args: string[]): Promise<Ran> => stage.run(["team", ...args, ...settings], elsewhere);
      return {
        stage,
        team,
        start: (...args) =>
          stage.start(["team", "start", "bo", ...(args.length === 0 ? fresh : args), ...settings], {
            environment: shared,
          }),
        open: () =>
          openMailbox({
            transport: driver,
            home: stage.home,
            environment: shared,
            report: () => undefined,
            ...(servers === null ? {} : { natsUrl: servers.url }),
          }),
        take: (...args) => stage.start(["team", "take", "bo", ...args, ...settings], elsewhere),
        there: (args) => stage.run(args, elsewhere),
        status: async () =>
          (JSON.parse((await team("status", "--json")).stdout) as { status: string; session: string }[])[0],
      };
    }

    /** As a lead at another surface would: with words and a comment on a line. */
    async function sendBack(told: Told): Promise<void> {
      const mailbox = await told.open();
      const [plan] = (await lookAtInbox(mailbox, "default", Date.now())).pending;
      const comment = { id: "c1", from: 3, to: 3, quote: "1. Create `b.ts`", text: "Which runner?" };
      const decision: LeadDecision = {
        approve: false,
        feedback: "Say how it is tested.",
        comments: [{ ...comment, kind: "question" }],
      };
      const by = { user: "ada", surface: "terminal" };
      expect(await answerPlan(mailbox, plan!, { decision, by, now: Date.now() })).toEqual({ kind: "answered" });
      await mailbox.close();
    }

    async function untilWaiting({ open }: Told, revision = 1): Promise<void> {
      const mailbox = await open();
      const waits = async (): Promise<boolean> =>
        (await lookAtInbox(mailbox, "default", Date.now())).pending.some((one) => one.revision === revision);
      await eventually(waits, "the plan waits");
      await mailbox.close();
    }

    /** What goes on when it is gone: it is kept a moment after the lead can see the plan. */
    async function untilKept({ open }: Told, revisions: number): Promise<void> {
      const mailbox = await open();
      const isKept = async (): Promise<boolean> =>
        (await readWork(mailbox, { team: "default", name: "bo" }))?.record.revisions.length === revisions;
      await eventually(isKept, "what it worked out is kept");
      await mailbox.close();
    }

    test("B9.2 a plan that waits for the lead comes back with its revisions and the lead's words; the teammate is told and ends; the session goes on", async () => {
      const told = await tell();
      const { stage, team, there, status } = told;
      const before = treeHashes(stage.repository);
      const ran = finish(told.start(), "");
      await untilWaiting(told);
      await sendBack(told);
      await untilWaiting(told, 2);
      const unknown = await team("take", "bi");
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        'groundplan: Nobody called "bi" is in team default; did you mean bo?\n',
      ]);

      const took = await team("take", "bo", "--json");
      expect([took.code, took.stderr]).toEqual([0, ""]);
      const taken = JSON.parse(took.stdout) as { sessionId: string; file: string; from: string };
      expect(taken).toMatchObject({ agent: "bo@default", title: "Add b", revisions: 2, comments: 1 });
      expect(readFileSync(taken.file, "utf8")).toBe(second);

      const ended = await ran;
      expect(ended.code).toBe(130);
      expect(ended.stderr).toContain(`and goes on in session ${taken.sessionId}; this session ends.`);
      expect(await status()).toMatchObject({ status: "taken", session: taken.from });
      expect((await team("inbox")).stdout).toBe("No plan waits in team default.\n");
      const late = await team("approve", "bo");
      expect([late.code, treeHashes(stage.repository)]).toEqual([1, before]);

      const shown = await there(["plans", "show", taken.sessionId.slice(0, 8), "--json"]);
      expect(shown.stderr).not.toContain("out of date");
      expect(JSON.parse(shown.stdout)).toMatchObject({
        session: taken.sessionId,
        file: taken.file,
        revisions: [{ number: 1 }, { number: 2 }],
        decisions: [{ kind: "revise", by: { user: "ada" } }],
        comments: [{ id: "c1", text: "Which runner?" }],
      });
      const went = await there(["-p", "submit it", "--resume", taken.sessionId, "--output-format", "json"]);
      expect([went.code, JSON.parse(went.stdout)]).toMatchObject([
        3,
        { status: "plan_ready", sessionId: taken.sessionId, mode: "plan", plan: { path: taken.file, text: second } },
      ]);
      const asked = JSON.stringify(stage.server.requests.at(-1)!.body);
      expect(asked).toContain("began for this task: add b.");
      expect(asked).toContain(taken.file);

      const again = await team("take", "bo");
      expect([again.code, again.stderr]).toEqual([
        1,
        expect.stringMatching(/^groundplan: The plan of bo was taken by /),
      ]);
      expect(again.stderr).toContain(`groundplan --resume ${taken.sessionId}`);
      const back = await finish(told.start("--resume", taken.from), "");
      expect([back.code, back.stderr]).toEqual([1, expect.stringContaining("it goes on in session")]);
    });

    test("of two that take it at once one gets it, the other is told who has it", async () => {
      const told = await tell();
      const ran = finish(told.start(), "");
      await untilWaiting(told);
      const both = await Promise.all([finish(told.take("--json"), ""), finish(told.take("--json"), "")]);
      expect(both.map(({ code }) => code === 0).filter(Boolean)).toEqual([true]);
      const [won, lost] = both[0].code === 0 ? both : both.toReversed();
      expect(lost!.stderr).toMatch(/^groundplan: The plan of bo (is being|was) taken by /m);
      expect([lost!.code, lost!.stdout]).toEqual([1, ""]);
      const { sessionId } = JSON.parse(won!.stdout) as { sessionId: string };
      expect((await ran).stderr).toContain(`goes on in session ${sessionId}`);
      const listed = JSON.parse((await told.there(["sessions", "--json"])).stdout) as { id: string }[];
      expect(listed.filter(({ id }) => id === sessionId)).toHaveLength(1);
      expect(listed).toHaveLength(driver === "nats" ? 1 : 2);
    });

    test("killed half way nothing is lost: the same command does the rest", async () => {
      const told = await tell();
      const teammate = told.start();
      const ran = finish(teammate, "");
      await untilWaiting(told);
      const { session } = (await told.status())!;
      teammate.kill("SIGSTOP");
      const taker = told.take("--json");
      const killed = finish(taker, "");
      const mailbox = await told.open();
      await eventually(async () => (await readClaim(mailbox, "default", session)) !== null, "the claim");
      taker.kill("SIGKILL");
      expect((await killed).code).toBe(null);
      teammate.kill("SIGCONT");
      const took = await finish(told.take("--json"), "");
      expect([took.code, took.stderr]).toEqual([0, ""]);
      const { file, sessionId } = JSON.parse(took.stdout) as { file: string; sessionId: string };
      expect((await readClaim(mailbox, "default", session))?.claim).toMatchObject({ into: sessionId, isDone: true });
      expect([readFileSync(file, "utf8"), (await ran).code]).toEqual([first, 130]);
      await mailbox.close();
    });

    test("of a teammate that is gone what it had sent is enough; one without a plan keeps what it has", async () => {
      const told = await tell();
      const teammate = told.start();
      const ran = finish(teammate, "");
      await untilWaiting(told);
      await sendBack(told);
      await untilWaiting(told, 2);
      await untilKept(told, 2);
      teammate.kill("SIGKILL");
      await ran;
      const took = await told.team("take", "bo");
      expect([took.code, took.stdout]).toEqual([0, expect.stringMatching(/^Took the plan of bo@default: Add b\n/)]);
      expect(took.stdout).toContain("2 revisions, 1 open comment)");
      expect((await told.status())?.status).toBe("taken");
      expect((await told.team("inbox")).stdout).toBe("No plan waits in team default.\n");
      const shown = await told.there(["plans", "show", /--resume (\S+)/.exec(took.stdout)![1]!.slice(0, 8), "--json"]);
      expect(JSON.parse(shown.stdout)).toMatchObject({
        revisions: [{ number: 1 }, { number: 2 }],
        comments: [{ id: "c1", from: 3, to: 3, text: "Which runner?" }],
      });
      const went = await told.there(["-p", "go on", "--continue"]);
      expect([went.code, went.stdout.trim()]).toEqual([0, "I go on."]);
      expect(JSON.stringify(told.stage.server.requests.at(-1)!.body)).toContain("Which runner?");

      const session = (await told.status())!.session;
      const bare = told.start("think about it", "--input-format", "stream-json", "--output-format", "stream-json");
      const done = new Promise((resolve) => bare.on("close", resolve));
      bare.stdout.resume();
      const mailbox = await told.open();
      await eventually(
        async () => (await readMembers(mailbox, "default"))[0]?.session !== session,
        "another session under its name",
      );
      await mailbox.close();
      const none = await told.team("take", "bo");
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("bo has no plan yet that could be taken")]);
      bare.stdin.end();
      await done;
    });
  });
});
