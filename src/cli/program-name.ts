/** The program as the person started it: in a clone there is no program of that name yet. */
export function programName(): string {
  return process.env["npm_lifecycle_event"] === "start" ? "npm start --" : "groundplan";
}
