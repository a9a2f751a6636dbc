/** `perl`: one-liners in a small subset. */
import type { Rule } from "../call.ts";
import { unproven } from "../walk.ts";

export const judgePerl: Rule = (call) => unproven("perl runs a program that is not analysed", call.span);
