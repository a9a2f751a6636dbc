/** What only a call while planning, or a plan, needs: in the bundle a part of the same file, compiled when it is first asked for. */

export async function loadJudge() {
  return import("../judge.ts");
}

export async function loadReviewed() {
  return import("./reviewed.ts");
}
