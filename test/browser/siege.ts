/** A plan under review that is full of tricks, and the ways to ask its server for anything. */
import { connect } from "node:net";
import { expect } from "vitest";
import type { ReviewState } from "../../src/faces/browser/desks/wire.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { writePlan } from "../scenarios/plan-writer.ts";
import { linkOf, send, setStage, visit, type Page, type Reply, type Sending, type Stage } from "./stage.ts";
import { until } from "../support/until.ts";

export const hostile = [
  "# Plan <script>alert(1)</script>",
  "",
  '[click](javascript:alert(1)) <img src=x onerror="alert(1)"> <svg onload=alert(1)><script>alert(1)</script></svg>',
  "<iframe srcdoc='<script>parent.fetch(`api/verdict`)</script>'></iframe> <base href=//evil.example>",
  "![x](https://evil.example/pixel.png) \u202Erorrim\u202C zero\u200Bwidth \u0000 \uD83D\uDE00",
  `| ${"a | ".repeat(2000)}\n| ${"- | ".repeat(2000)}`,
  "</script><!--",
].join("\n");

export interface Siege {
  readonly stage: Stage;
  readonly page: Page;
  readonly state: ReviewState;
  readonly port: number;
  /** Every attack ends with the plan as it was: waiting, not approved. */
  readonly unharmed: () => Promise<void>;
  readonly approval: string;
  /** Without a cookie. */
  readonly ask: (route: string, sending?: Sending) => Promise<Reply>;
  /** The beginning of a request that would count. */
  readonly head: (method: "GET" | "POST", route: string) => string;
  /** The answer's first bytes to exactly these. */
  readonly raw: (bytes: string) => Promise<string>;
}

export const json = { "content-type": "application/json" };

export async function besiege(): Promise<Siege> {
  const stage = await setStage({ model: scriptedModel(writePlan(hostile), { tool: "ExitPlanMode" }), mode: "plan" });
  const page = await visit(await linkOf(stage.review));
  void stage.harness.say("plan it");
  const state = await until("the plan is shown", async () => {
    const shown = await page.state();
    return shown.request === null ? null : shown;
  });
  const port = Number(new URL(page.base).port);
  return {
    stage,
    page,
    state,
    port,
    approval: JSON.stringify({ requestId: state.request!.id, hash: state.hash, kind: "approve" }),
    ask: (route, sending) => send(page.base + route, sending),
    head: (method, route) =>
      [
        `${method} ${new URL(page.base).pathname}${route} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `Cookie: ${page.cookie}`,
        `Origin: ${page.origin}`,
        "Content-Type: application/json",
        "",
      ].join("\r\n"),
    raw: (bytes) => raw(port, bytes),
    async unharmed() {
      const { request, hash } = await page.state();
      expect({ request: request?.id, hash }).toEqual({ request: state.request!.id, hash: state.hash });
      expect(stage.harness.session.state.permissions.mode.current).toBe("plan");
    },
  };
}

function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString("utf8");
      if (heard.includes("\r\n\r\n")) socket.destroy();
    });
    socket.on("error", (error) => (heard === "" ? reject(error) : undefined));
    socket.on("close", () => resolve(heard));
  });
}
