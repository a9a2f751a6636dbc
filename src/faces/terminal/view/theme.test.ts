/** Which theme is chosen, and that the one without colour has none. */
import { expect, test } from "vitest";
import { chooseTheme, noColour, unstyled } from "./theme.ts";

test.each([
  [{}, undefined, "dark"],
  [{ COLORFGBG: "0;15" }, "auto", "light"],
  [{ COLORFGBG: "0;default;15" }, "auto", "light"],
  [{ COLORFGBG: "15;0" }, "auto", "dark"],
  [{ COLORFGBG: "15;0" }, "light", "light"],
  [{ NO_COLOR: "1" }, "dark", "none"],
  [{ NO_COLOR: "" }, "dark", "dark"],
  [{ TERM: "dumb" }, undefined, "none"],
] as const)("with %j and the setting %s the theme is %s", (environment, setting, name) => {
  expect(chooseTheme({ setting, environment }).name).toBe(name);
});

test("without colour no style sends a colour", () => {
  const { name: _, mode, ...styles } = noColour();
  const sent = [...Object.values(styles), mode("plan"), mode("bypassPermissions")].map((style) => style("x")).join("");
  expect(sent).not.toMatch(/\u001B\[(?!(1|3|4|7|9|22|23|24|27|29)m)/);
});

test("unstyled sends nothing but the text", () => {
  const { name: _, mode, ...styles } = unstyled();
  expect([...Object.values(styles), mode("plan")].map((style) => style("x")).join("")).toMatch(/^x+$/);
});
