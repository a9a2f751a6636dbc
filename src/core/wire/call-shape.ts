/** The shape of a tool call: an access that is not one of ours, or lacks a part, must not be judged at all (B1.2). */
import { anything, byKind, fields, flag, list, maybe, oneOf, orNull, text, yes } from "./shape.ts";

const place = oneOf("project", "elsewhere", "guarded");

const question = fields({
  question: text,
  header: text,
  options: list(fields({ label: text, description: text })),
  multiSelect: flag,
});

const access = byKind({
  read: fields({ paths: list(text) }),
  fetch: fields({ url: text, method: text, inward: maybe(list(text)) }),
  note: anything,
  "ask-user": fields({ questions: maybe(list(question)) }),
  write: fields({ path: text, place, kept: maybe(flag) }),
  command: fields({
    command: text,
    directory: text,
    verdict: oneOf("read-only", "writes", "unproven"),
    reason: text,
    part: maybe(text),
    sandboxed: flag,
    network: flag,
    files: orNull(place),
    harsh: maybe(yes),
  }),
  spawn: fields({ agent: text, readOnly: flag }),
  external: fields({ name: text, trusted: flag, readOnlyHint: flag, destructiveHint: flag, namedReader: flag }),
  "enter-plan": anything,
  "exit-plan": anything,
  invalid: fields({ reason: text }),
});

const subject = fields({
  rule: text,
  path: maybe(text),
  parts: maybe(list(text)),
  proved: maybe(list(text)),
  silent: maybe(list(text)),
  redirected: maybe(list(text)),
  loose: maybe(flag),
  forms: maybe(list(list(orNull(text)))),
  unknown: maybe(flag),
  opaque: maybe(flag),
  explicit: maybe(flag),
});

export const isCall = fields({
  id: text,
  tool: text,
  access: orNull(access),
  subjects: list(subject),
  hook: maybe(fields({ answer: oneOf("allow", "deny", "ask", "none"), reason: text })),
});
