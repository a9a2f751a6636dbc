/** Temporary. */
import { nobody } from "../../agent/persons.ts";
export function terminalPerson(..._: readonly unknown[]) { return nobody(); }
