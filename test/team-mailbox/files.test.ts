/** The file mailbox: the contract, then what only files can get wrong. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll } from "vitest";
import { whileLocked } from "../../src/agent/host/lock.ts";
import { inboxPaths, prepareInbox } from "../../src/faces/team/mailbox-files-inbox.ts";
import { describeMailbox } from "./conformance.ts";

const home = mkdtempSync(join(tmpdir(), "groundplan-mailbox-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describeMailbox({
  name: "files",
  place: () => ({ kind: "files", home }),
  async interrupt(inbox) {
    const paths = inboxPaths(home, inbox);
    await prepareInbox(paths);
    await whileLocked(paths.lock, () => pause(1500));
  },
});
