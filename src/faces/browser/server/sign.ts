/** The sign of a page in its tab: a dot of ours, with a number when somebody waits. */
import { commonHeaders } from "./headers.ts";
import type { Route } from "./routes.ts";

export const signRoute: Route = {
  method: "GET",
  run: async ({ response, query }) => {
    response.writeHead(200, { ...commonHeaders, "content-type": "image/svg+xml" });
    response.end(signOf(Number(query.get("n") ?? 0)));
  },
};

function signOf(count: number): string {
  const number = Number.isInteger(count) && count > 0 ? (count > 9 ? "9+" : String(count)) : "";
  const colour = number === "" ? "#8a8f98" : "#b45309";
  const text = `<text x="16" y="22" font-family="sans-serif" font-size="17" font-weight="700" text-anchor="middle" fill="#fff">${number}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="${colour}"/>${text}</svg>`;
}
