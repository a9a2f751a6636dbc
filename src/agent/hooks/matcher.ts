/** Whether a hook is meant: plain names are compared, anything else is a regular expression, which gets no time to go astray. */
import { createContext, Script } from "node:vm";

/** The problem in words where the matcher is no expression, or does not come to an end. */
export function matches(matcher: string | undefined, subject: string | null): boolean | { readonly problem: string } {
  if (subject === null || matcher === undefined || matcher === "" || matcher === "*") return true;
  if (plainNames.test(matcher)) return matcher.split(/[|,]/).some((name) => name.trim() === subject);
  try {
    const tried = createContext({ matcher, subject });
    return new Script("new RegExp(matcher).test(subject)").runInContext(tried, { timeout: longestMs }) === true;
  } catch (error) {
    const isSlow =
      typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return { problem: isSlow ? "has a matcher that does not come to an end" : "has a matcher that is no expression" };
  }
}

/** Only these: an exact name, or a list of them. */
const plainNames = /^[\w\- ,|]+$/;
const longestMs = 200;
