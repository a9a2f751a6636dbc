/** Tips, each at most once in twenty sessions of this person (R15.4). */
import type { State, StateFile } from "../../program/state-file.ts";

const every = 20;

/** Counts this session and says whether the tip is due in it. Rejects when the config home cannot be written. */
export async function tipIsDue(name: string, state: StateFile): Promise<boolean> {
  let isDue = false;
  await state.update((before) => {
    const counted: State = { ...before, sessions: before.sessions + 1 };
    const last = before.tips[name];
    isDue = last === undefined || counted.sessions - last.session >= every;
    if (!isDue) return counted;
    return {
      ...counted,
      tips: { ...before.tips, [name]: { shown: (last?.shown ?? 0) + 1, session: counted.sessions } },
    };
  });
  return isDue;
}
