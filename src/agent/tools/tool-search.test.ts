import { expect, test } from "vitest";
import { findTools } from "./tool-search.ts";

const tools = [
  { name: "mcp__tracker__createIssue", description: "Makes an issue.", hint: "bug ticket" },
  { name: "mcp__tracker__listIssues", description: "Lists issues; a bug has a number.", hint: "" },
  { name: "WebFetch", description: "Gets a page.", hint: "url" },
];

test.each([
  ["select:webfetch, nothing", ["WebFetch"]],
  ["create issue", ["mcp__tracker__createIssue"]],
  ["bug", ["mcp__tracker__createIssue", "mcp__tracker__listIssues"]],
  ["URL", ["WebFetch"]],
  ["tracker", ["mcp__tracker__createIssue", "mcp__tracker__listIssues"]],
  ["…", []],
])("R6.2 a search finds tools by name, hint and description: %s", (query, found) => {
  expect(findTools(tools, query)).toEqual(found);
});
