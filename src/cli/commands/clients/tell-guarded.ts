/** After an install: whether the agent is guarded now, seen by running the entry; and what the person still has to do. */
import { placeOf } from "../../../clients/install/places.ts";
import { fileOf, type InstallScope } from "../../../clients/install/parts.ts";
import { lookAt } from "../../../clients/install/look.ts";
import { answer, type Streams } from "../../command.ts";
import { tellPerson } from "../../complaint.ts";

/** The exit code: 0 guarded, 3 not yet. */
export async function tellGuarded(asked: InstallScope, streams: Streams): Promise<number> {
  const { title } = placeOf(asked.agent);
  const { problems, notes } = await lookAt({
    agent: asked.agent,
    file: fileOf(asked),
    person: asked.person,
    directory: asked.root,
  });
  for (const note of notes) tellPerson(streams, note);
  if (problems.length === 0) return answer(streams, `${title} is guarded while it plans (${fileOf(asked)}).`);
  for (const problem of problems) tellPerson(streams, problem);
  tellPerson(streams, `${title} is NOT guarded yet (${fileOf(asked)}).`);
  return 3;
}
