import { expect, test } from "vitest";
import { notification, type NotifyFacts } from "./notify.ts";

test.each<[NotifyFacts["setting"], boolean | null, Record<string, string>, string]>([
  ["auto", true, {}, ""],
  ["auto", null, {}, ""],
  ["auto", false, {}, "\u0007"],
  ["auto", false, { TERM_PROGRAM: "iTerm.app" }, "\u001B]9;Groundplan: ask\u0007"],
  ["auto", false, { TERM_PROGRAM: "iTerm.app", TMUX: "1" }, "\u0007"],
  ["bell", null, {}, "\u0007"],
  ["bell", true, {}, ""],
  ["desktop", false, { VTE_VERSION: "7000" }, "\u001B]777;notify;Groundplan;ask\u0007"],
  ["off", false, {}, ""],
])("B8.7 notify %s, in front: %s, %j", (setting, focused, environment, bytes) => {
  expect(notification("ask", { setting, focused, environment })).toBe(bytes);
});
