/** Sends numbered letters one after the other and tells each acknowledgement at once: `writer <home> <name> <first> <end>`. */
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { defaultTeam, teamLead } from "../../src/mail/mailbox.ts";
import { createFileMailbox } from "../../src/mail/files/mailbox.ts";

const [home, name, first, end] = process.argv.slice(2) as [string, string, string, string];
const mailbox = createFileMailbox({ home, report: (problem) => writeSync(2, `${problem}\n`) });

for (let number = Number(first); number < Number(end); number += 1) {
  const body = `${name} ${number} `.repeat(1 + ((number * 37) % 150));
  const text = JSON.stringify({ number, body, hash: createHash("sha256").update(body).digest("hex") });
  const message = { from: name, text, timestamp: new Date().toISOString() };
  const sending = await mailbox.send({ team: defaultTeam, agent: teamLead }, message, { id: `${name}-${number}` });
  writeSync(1, sending.kind === "sent" ? `${number}\n` : `refused: ${sending.reason}\n`);
}
await mailbox.close();
