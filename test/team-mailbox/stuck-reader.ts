/** Takes one letter, says so, and never comes to an end: `stuck-reader <place as JSON> <team> <agent>`. */
import { writeSync } from "node:fs";
import { openPlace, type Place } from "./place.ts";

const [place, team, agent] = process.argv.slice(2) as [string, string, string];
await openPlace(JSON.parse(place) as Place).receive(
  { team, agent },
  (letter) => {
    writeSync(1, `${letter.id}\n`);
    return new Promise(() => undefined);
  },
  { signal: new AbortController().signal },
);
