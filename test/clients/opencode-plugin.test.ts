/** The plugin for opencode, as it is installed, with a client of our own around it: when it asks, and that it fails closed. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { opencodePlugin } from "../../src/clients/opencode-plugin/plugin.ts";
import { realFolder } from "../support/folder.ts";
import { writeProgram } from "../support/write-program.ts";

interface Hooks {
  readonly "chat.message": (input: object, output: object) => Promise<void>;
  readonly "tool.execute.before": (input: object, output: { args: Record<string, unknown> }) => Promise<void>;
  readonly tool: {
    readonly submit_plan: {
      readonly description: string;
      readonly execute: (args: object, context: object) => Promise<string>;
    };
  };
}

interface Session {
  readonly id: string;
  readonly parentID?: string;
  readonly agent?: string;
}

/** `script` stands for the launcher: it reads the payload, and says what it likes. */
async function plugged(script: string | null, sessions: readonly Session[] = []) {
  const folder = realFolder();
  const launcher = join(folder, "it's $HOME", "..", "guard");
  const path = join(folder, "guard");
  const sent = join(folder, "sent.json");
  if (script !== null) writeProgram(path, `#!/bin/sh\ncat > '${sent}'\necho "$*" > '${sent}.args'\n${script}\n`);
  const text = opencodePlugin({ launcher: script === null ? launcher : path });
  const module = (await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`)) as {
    readonly Groundplan: (input: object) => Promise<Hooks>;
  };
  const prompted: object[] = [];
  const client = {
    session: {
      get: ({ path: { id } }: { path: { id: string } }) => {
        const found = sessions.find((session) => session.id === id);
        return found === undefined ? Promise.reject(new Error("gone")) : Promise.resolve({ data: found });
      },
      prompt: (asked: object) => {
        prompted.push(asked);
        return Promise.resolve({ data: {} });
      },
    },
  };
  const hooks = await module.Groundplan({ client, directory: folder });
  const before = (tool: string, args: Record<string, unknown>, sessionID = "s"): Promise<Record<string, unknown>> => {
    const output = { args };
    return hooks["tool.execute.before"]({ tool, sessionID, callID: "c" }, output).then(() => output.args);
  };
  const speak = (agent: string, sessionID = "s"): Promise<void> =>
    hooks["chat.message"]({ sessionID, agent }, { message: { agent } });
  const wasSent = (): unknown => (existsSync(sent) ? JSON.parse(readFileSync(sent, "utf8")) : null);
  return { folder, hooks, before, speak, prompted, wasSent, args: () => readFileSync(`${sent}.args`, "utf8").trim() };
}

const says = (answer: object): string => `cat <<'END'\n${JSON.stringify(answer)}\nEND`;
const goOn = says({ decision: "go-on" });
const root: Session = { id: "s" };

describe("B11.3 outside of plan mode no process is started", () => {
  test("for the agent build, and for an agent below it", async () => {
    const { before, speak, wasSent } = await plugged("exit 2", [root, { id: "child", parentID: "s" }]);
    await speak("build");
    await speak("general", "child");
    expect(await before("bash", { command: "touch x" })).toEqual({ command: "touch x" });
    expect(await before("bash", { command: "touch x" }, "child")).toEqual({ command: "touch x" });
    expect(wasSent()).toBeNull();
  });

  test("the title's agent does not count", async () => {
    const { before, speak, wasSent } = await plugged(goOn, [root]);
    await speak("plan");
    await speak("title");
    await before("read", { filePath: "a" });
    expect(wasSent()).toMatchObject({ agents: ["plan"] });
  });
});

describe("B11.2 while it plans each call is asked about", () => {
  test("with the agents of the sessions above", async () => {
    const { folder, before, speak, wasSent, args } = await plugged(goOn, [root, { id: "child", parentID: "s" }]);
    await speak("plan");
    await speak("explore", "child");
    await before("bash", { command: "ls" }, "child");
    expect(wasSent()).toEqual({
      version: 1,
      session: "child",
      directory: folder,
      agents: ["explore", "plan"],
      tool: "bash",
      call: "c",
      args: { command: "ls" },
    });
    expect(args()).toBe("hook opencode tool");
  });

  test("a session that was there before is asked for at opencode; one that nobody knows counts as planning", async () => {
    const { before, wasSent } = await plugged(goOn, [{ id: "s", agent: "plan" }]);
    await before("read", {});
    expect(wasSent()).toMatchObject({ agents: ["plan"] });
    await before("read", {}, "other");
    expect(wasSent()).toMatchObject({ agents: [null, null] });
  });

  test("a rewritten command takes the place of the command alone", async () => {
    const { before, speak } = await plugged(says({ decision: "rewrite", args: { command: "safe", workdir: "/" } }), [
      root,
    ]);
    await speak("plan");
    expect(await before("bash", { command: "x", workdir: "/a" })).toEqual({ command: "safe", workdir: "/a" });
  });

  test("a refusal is thrown with its reason", async () => {
    const { before, speak } = await plugged(says({ decision: "refuse", reason: "It writes." }), [root]);
    await speak("plan");
    await expect(before("write", {})).rejects.toThrow("It writes.");
  });
});

describe("B11.4 whatever is no answer is a refusal", () => {
  test.each([
    ["no launcher", null],
    ["exit 1", "exit 1"],
    ["exit 2 with a reason", "echo because >&2; exit 2"],
    ["an answer, but exit 1", `${goOn}\nexit 1`],
    ["nothing", "true"],
    ["no JSON", "echo go-on"],
    ["half of an answer", `printf '{"decision":"go'`],
    ["a list", says([{ decision: "go-on" }])],
    ["null", "echo null"],
    ["another decision", says({ decision: "allow" })],
    ["a rewrite without a command", says({ decision: "rewrite", args: {} })],
    ["killed", "kill -9 $$"],
  ])("%s", async (_, script) => {
    const { before, speak } = await plugged(script, [root]);
    await speak("plan");
    await expect(before("bash", { command: "touch x" })).rejects.toThrow(/Groundplan/);
  });
});

describe("B11.5 submit_plan", () => {
  const context = { sessionID: "s", abort: new AbortController().signal };
  const approve = { decision: "approve", agent: "build", text: "Do it.", done: "Done.", byHand: "Switch." };

  test("an approved plan goes on in the agent that was approved", async () => {
    const { hooks, speak, prompted, wasSent, args, folder } = await plugged(says(approve), [root]);
    await speak("plan");
    expect(await hooks.tool.submit_plan.execute({ plan: "# Plan" }, context)).toBe("Done.");
    expect(wasSent()).toEqual({ version: 1, session: "s", directory: folder, agents: ["plan"], plan: "# Plan" });
    expect(args()).toBe("hook opencode plan");
    expect(prompted).toEqual([
      {
        path: { id: "s" },
        body: { agent: "build", noReply: true, parts: [{ type: "text", text: "Do it.", synthetic: true }] },
      },
    ]);
  });

  test("feedback is the tool's result, and the agent stays", async () => {
    const { hooks, speak, prompted } = await plugged(says({ decision: "send-back", text: "Not so." }), [root]);
    await speak("plan");
    expect(await hooks.tool.submit_plan.execute({ plan: "# Plan" }, context)).toBe("Not so.");
    expect(prompted).toEqual([]);
  });

  test.each([
    ["a refusal", says({ decision: "refuse", reason: "Nobody answered." })],
    ["go on", goOn],
    ["a broken hook", "exit 1"],
  ])("%s approves nothing", async (_, script) => {
    const { hooks, speak, prompted } = await plugged(script, [root]);
    await speak("plan");
    await expect(hooks.tool.submit_plan.execute({ plan: "# Plan" }, context)).rejects.toThrow();
    expect(prompted).toEqual([]);
  });

  test("a turn that is stopped ends the hook, and approves nothing", async () => {
    const { hooks, speak, prompted, wasSent } = await plugged("exec sleep 60", [root]);
    await speak("plan");
    const stop = new AbortController();
    const waiting = hooks.tool.submit_plan.execute({ plan: "# Plan" }, { sessionID: "s", abort: stop.signal });
    await expect.poll(wasSent).not.toBeNull();
    stop.abort();
    await expect(waiting).rejects.toThrow(/stopped/);
    expect(prompted).toEqual([]);
  });

  test("outside of plan mode there is nothing to review", async () => {
    const { hooks, speak, wasSent } = await plugged(goOn, [root]);
    await speak("build");
    expect(await hooks.tool.submit_plan.execute({ plan: "# Plan" }, context)).toContain("nothing to review");
    expect(wasSent()).toBeNull();
  });
});

test("B11.1 the installed text is the same each time, and names any path safely", () => {
  const launcher = `/home/o'hara/$& "x"\\n/bin/guard`;
  expect(opencodePlugin({ launcher })).toBe(opencodePlugin({ launcher }));
  expect(opencodePlugin({ launcher })).toContain(`const launcher = ${JSON.stringify(launcher)};`);
});
