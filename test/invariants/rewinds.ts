/** Undo in random sessions: work on files that begins and ends, and a person who goes back to a point. */
import type { Event } from "../../src/core/event.ts";
import type { Session } from "../../src/core/session.ts";
import { rewound } from "../../src/testing/core-fixtures.ts";
import type { Chance } from "./random.ts";

/** Work on files, and a person who goes back to before it. */
export function goesBack(chance: Chance, { undo }: Session): Event {
  const { points, works } = undo;
  if (chance.chance(0.3)) return { type: "work-begun", from: `t${works.length}` };
  if (chance.chance(0.3)) return { type: "work-ended", to: `t${works.length}` };
  const to = points.length === 0 ? "p1" : chance.pick(points).id;
  const what = chance.pick(["files", "conversation", "both"] as const);
  const trees = what === "conversation" ? { from: null, after: null } : { from: "now", after: "then" };
  return rewound(to, { id: `r${points.length + 1}`, what, how: chance.pick(["undo", "redo"] as const), ...trees });
}
