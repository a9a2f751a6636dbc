/** Redirections: input from files, output to nothing or to another descriptor. */
import { resolve } from "node:path";
import type { HereDoc, Redirection } from "unbash";
import type { Arg } from "./args.ts";
import { noteRead, toArgs } from "./args.ts";
import type { Look } from "./expansions.ts";
import { checkParts, checkWord } from "./expansions.ts";
import type { ShellRefusal } from "./walk.ts";
import { unproven, writes } from "./walk.ts";

const sinks = /^\/dev\/(null|stdout|stderr|fd\/[012])$/;
const devices = /^\/dev\/(tcp|udp)(\/|$)/;

/** Wherever the shell may stand. */
function isDevice({ text }: Arg, places: readonly string[]): boolean {
  return devices.test(text!) || places.some((place) => devices.test(resolve("/", place, text!)));
}

export function checkRedirect(redirect: Redirection, look: Look): ShellRefusal | null {
  const { walk } = look;
  const span = [redirect.pos, redirect.end] as const;
  if (redirect.descriptor?.type === "FileDescriptorVariable") {
    return unproven(`{${redirect.descriptor.name}} lets the shell choose a descriptor`, span);
  }
  if (redirect.type === "HereDoc") {
    if (hasOpenExpansion(redirect)) return unproven("a here-document has an expansion that is not closed", span);
    if (redirect.body.parts !== undefined) checkParts(redirect.body.parts, look);
    return redirect.closing === undefined ? unproven("a here-document is not closed", span) : null;
  }
  if (redirect.target === undefined) return unproven("a redirection has no target", span);
  checkWord(redirect.target, look);
  if (redirect.type === "HereString") return null;
  const args = toArgs(redirect.target, walk);
  const [target] = args;
  if (args.length !== 1 || target === undefined) return unproven("a redirection has several targets", span);
  const { text } = target;
  if (redirect.operator === ">&" || redirect.operator === "<&") {
    if (text !== null && /^(\d+-?|-)$/.test(text)) return null;
  } else if (redirect.operator === "<") {
    const known =
      text === null
        ? target.relative === true || (!target.mayBeOption && !target.many && !mayBeDevice(target))
        : !isDevice(target, walk.place.paths ?? ["/dev", "/"]);
    if (known) noteRead(target, walk);
    return known ? null : unproven("an input may be a network device", span);
  }
  if (text === null) return unproven("the output goes to a file whose name is known only at run time", span);
  if (redirect.operator !== "<>" && sinks.test(text)) return null;
  return writes(`${redirect.operator} writes to "${text}"`, span);
}

/** Whether opening it may fail: then what it stands at is left out. */
export function mayFail(redirect: Redirection): boolean {
  if (redirect.type !== "Redirect") return redirect.type === "HereString" && redirect.target?.parts !== undefined;
  const text = redirect.target?.text ?? "";
  if (redirect.operator === ">&" || redirect.operator === "<&") return !/^[012]-?$|^-$/.test(text);
  return !/^\/dev\/(null|stdout|stderr)$/.test(text);
}

/** A value that is not known may complete the name of a device. */
function mayBeDevice({ head, word }: Arg): boolean {
  const begins = ["/dev/tcp/", "/dev/udp/"].some(
    (name) => head !== "" && (name.startsWith(head) || head.startsWith(name)),
  );
  return begins || /tcp|udp/.test(word?.text ?? "");
}

/** An expansion that the parser took for text would still be tried by the shell. */
function hasOpenExpansion({ delimiter, body }: HereDoc): boolean {
  if (delimiter?.quoted === true) return false;
  const texts = body.parts?.map((part) => (part.type === "Literal" ? part.text : "")) ?? [body.text];
  return texts.some((text) => /[`]|\$[({[]/.test(text.replaceAll(/\\[\s\S]/g, "")));
}
