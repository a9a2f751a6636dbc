/** Ages, deadlines and sizes in a few words. */
import { counted } from "../plans/screen.ts";

export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

export function leftText(deadline: number | null, now: number): string {
  return deadline === null ? "no deadline" : `${ageText(deadline - now)} left`;
}

export function sizeText(plan: string): string {
  const lines = plan.trimEnd().split("\n").length;
  return `${counted(lines, "line")}, ${Buffer.byteLength(plan, "utf8")} bytes`;
}
