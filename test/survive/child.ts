/** The story in a process of its own, to be killed: goes on with whatever the folder holds, and prints its outcome. */
import { outcomeOf } from "./compare.ts";
import { tellStory } from "./run.ts";

const folder = process.argv[2]!;
const { session } = await tellStory({ folder, repeats: true });
process.stdout.write(JSON.stringify(outcomeOf(session, folder).rest));
