/** Rows of providers, and what follows of them. */
import { describe, expect, test } from "vitest";
import { keyVariablesText, providerRow, providers, type ProviderRow } from "./providers.ts";
import { addressFor } from "./vendors.ts";

describe("a provider's row", () => {
  test("shares no name and no variable with another", () => {
    const names = providers.flatMap(({ name, keyVariable, addressVariable }) => [name, keyVariable, addressVariable]);
    expect(new Set(names).size).toBe(names.length);
  });

  const hosted: ProviderRow = {
    ...providerRow("openai"),
    addressVariable: "HOSTED_BASE_URL",
    wire: "chat",
    address: "https://hosted.example/api/v1",
  };

  test.each([
    ["its own server, which the wire's library does not know", "", "https://hosted.example/api/v1", false],
    ["another one", "http://127.0.0.1:9/x/", "http://127.0.0.1:9/x/v1", true],
  ])("leads to %s", (_, text, baseUrl, isOther) => {
    expect(addressFor(hosted, { HOSTED_BASE_URL: text })).toEqual({ wire: "chat", baseUrl, isOther });
  });

  test("is told to people with the others", () => {
    const [first, second, third] = providers.map(({ keyVariable }) => keyVariable);
    expect(keyVariablesText("or", providers.slice(0, 3))).toBe(`${first}, ${second} or ${third}`);
    expect(keyVariablesText("and", providers.slice(0, 1))).toBe(first);
  });
});
