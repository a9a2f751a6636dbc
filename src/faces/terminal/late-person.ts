/** A person whose dialogs are loaded when somebody is first asked: the first frame does not wait for them. */
import type { Person } from "../../agent/ports/ports.ts";

export function latePerson(load: () => Promise<Person>): Person {
  let person: Promise<Person> | null = null;
  const loaded = (): Promise<Person> => (person ??= load());
  return {
    review: async (request, signal, send) => (await loaded()).review(request, signal, send),
    permit: async (ask, signal, send) => (await loaded()).permit(ask, signal, send),
    answer: async (asked, signal, send) => (await loaded()).answer(asked, signal, send),
  };
}
