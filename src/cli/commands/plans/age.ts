/** How long ago something was, in words that fit into a column. */
import { localTime } from "../../../agent/loop/local-time.ts";
import type { OutputScreen } from "./screen.ts";

/** A moment that a clock set wrong puts into the future is told as it stands. */
export function ageOf(at: number, now: number): string {
  const seconds = (now - at) / 1000;
  if (seconds < -60) return localTime(at);
  if (seconds < 60) return "just now";
  const [length, name] = units.find(([one, , most]) => seconds < one * most) ?? units.at(-1)!;
  const count = Math.floor(seconds / length);
  return `${count} ${name}${count > 1 && !["min", "h"].includes(name) ? "s" : ""} ago`;
}

/** Until a row has so many of them, the row before counts. */
const units: readonly (readonly [seconds: number, name: string, most: number])[] = [
  [60, "min", 60],
  [3600, "h", 24],
  [86_400, "day", 14],
  [604_800, "week", 9],
  [2_629_800, "month", 24],
  [31_557_600, "year", Infinity],
];

/** For a person how long ago, for a program when. */
export function timeOn({ isTerminal }: OutputScreen, at: number, now: number): string {
  return isTerminal ? ageOf(at, now) : localTime(at);
}

/** The widest is `13 months ago`. */
export const ageColumns = 13;
