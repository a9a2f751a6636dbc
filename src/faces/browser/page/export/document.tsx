/** A plan as one file to send to somebody: read without a script, printed, in light and in dark; nothing in it loads or runs anything. */
import { createHash } from "node:crypto";
import { saidIn, type Comment } from "../../../../core/verdict.ts";
import { makeVisible } from "../../../../core/wire/visible.ts";
import type { ExportedDecision, ExportedPlan, ExportedRevision } from "../../export/exported-plan.ts";
import { drawNodes } from "../markdown/draw.tsx";
import { reading } from "../markdown/paint.tsx";
import { parsePlan, type Block } from "../markdown/parse.ts";
import { escapeHtml, toHtml, type HtmlOptions } from "./to-html.ts";

/** Put in by the build: the style sheet. */
declare const exportStyle: string;

export function planDocument(plan: ExportedPlan): string {
  const [first, ...others] = plan.revisions;
  const isTitled = first?.text?.trimStart().startsWith(`# ${plan.title}\n`) === true;
  const body = [
    `<header>${isTitled ? "" : `<h1 dir="auto">${shown(plan.title)}</h1>`}`,
    `<dl>${plan.facts.map(([name, value]) => `<dt>${shown(name)}</dt><dd dir="auto">${shown(value)}</dd>`).join("")}</dl>`,
    ...plan.warnings.map((words) => `<p class="warning">${shown(words)}</p>`),
    "</header>",
    first === undefined ? "" : `<main>${revisionHtml(first, 0)}</main>`,
    ...others.map(
      (revision, index) =>
        `<details class="earlier"><summary>${summaryOf(revision)}</summary>${revisionHtml(revision, index + 1)}</details>`,
    ),
  ];
  return `${headOf(plan.title)}<body>${body.join("\n")}</body></html>\n`;
}

/** The style is allowed by its own hash, and nothing else at all: no script, picture, font, frame, form or address. */
function headOf(title: string): string {
  const hash = createHash("sha256").update(exportStyle, "utf8").digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<meta name="generator" content="Groundplan"><title>${shown(title)}</title>
<style>${exportStyle}</style></head>
`;
}

function revisionHtml(revision: ExportedRevision, index: number): string {
  const { text, decisions } = revision;
  const said = decisions.map(decisionHtml).join("");
  const made = index > 0 ? "" : `<p><strong>${shown(revision.name)}</strong> ${shown(revision.made)}</p>`;
  const head = `<div class="about">${made}${said}</div>`;
  if (text === null) return `<section>${head}<p class="warning">Its text is not kept any more.</p></section>`;
  return `<section>${head}${textHtml(revision, { text, prefix: `r${index}-` })}${sourceHtml(revision, text)}</section>`;
}

function summaryOf({ name, made, decisions }: ExportedRevision): string {
  const last = decisions.at(-1);
  const outcome = last === undefined ? "" : ` · <span class="${last.kind}">${shown(last.name)}</span>`;
  return `<strong>${shown(name)}</strong> ${shown(made)}${outcome}`;
}

function decisionHtml({ kind, name, made, words }: ExportedDecision): string {
  const said = words.trim() === "" ? "" : `<blockquote class="words" dir="auto">${shown(words.trim())}</blockquote>`;
  return `<div class="decision ${kind}"><p><strong>${shown(name)}</strong> ${shown(made)}</p>${said}</div>`;
}

/** Each block in a row of its own, with the comments on its lines beside it. */
function textHtml(
  { comments }: ExportedRevision,
  { text, prefix }: { readonly text: string; readonly prefix: string },
): string {
  const blocks = parsePlan(text);
  const placed = placedAt(blocks, comments);
  const given: HtmlOptions = {
    prefix,
    isMarked: (from, to) => comments.some((comment) => comment.from <= to && comment.to >= from),
  };
  const drawing = { ...reading, colours: false, whole: true };
  const rows = blocks.map((block, at) => {
    const cards = (placed.get(at) ?? []).map(commentHtml).join("");
    const beside = cards === "" ? "" : `<aside class="said">${cards}</aside>`;
    return `<div class="row"><div class="words-of-plan">${toHtml(drawNodes([block], drawing), given)}</div>${beside}</div>`;
  });
  const lost = (placed.get(null) ?? []).map(commentHtml).join("");
  return `<article class="plan">${rows.join("\n")}${lost === "" ? "" : `<aside class="said">${lost}</aside>`}</article>`;
}

/** By the block that has the first line of it, or the next one after it; null where the plan has no block at all. */
function placedAt(
  blocks: readonly Block[],
  comments: readonly Comment[],
): ReadonlyMap<number | null, readonly Comment[]> {
  const placed = new Map<number | null, Comment[]>();
  for (const comment of comments) {
    const found = blocks.findIndex(({ to }) => to >= comment.from);
    const at = blocks.length === 0 ? null : found === -1 ? blocks.length - 1 : found;
    placed.set(at, [...(placed.get(at) ?? []), comment]);
  }
  return placed;
}

function commentHtml(comment: Comment): string {
  const { from, to, kind, suggestion } = comment;
  const where = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  const said = saidIn(comment)
    .filter((words) => words.trim() !== "")
    .map((words) => `<p dir="auto">${shown(words.trim())}</p>`);
  const name = suggestion === undefined ? kind : "suggestion";
  return `<div class="card"><p class="where">${shown(name)}, ${where}</p>${aboutHtml(comment)}${said.join("")}</div>`;
}

/** What it is about: its lines, what they should read instead, or what became of them since. */
function aboutHtml({ quote, suggestion, was, now }: Comment): string {
  if (suggestion !== undefined) return oldNewHtml(quote, suggestion);
  if (now !== undefined) return oldNewHtml(was ?? quote, now);
  return quote.trim() === "" ? "" : `<blockquote dir="auto">${shown(quote.trim())}</blockquote>`;
}

/** Whole, and one below the other: signs say which is which where there are no colours. */
function oldNewHtml(old: string, now: string): string {
  return `<div class="old-new">${changedHtml("del", old)}${changedHtml("ins", now)}</div>`;
}

function changedHtml(tag: "del" | "ins", text: string): string {
  return text.trim() === "" ? "" : `<${tag} dir="auto">${shown(text)}</${tag}>`;
}

/** Every byte is at hand, also where the rendered text says it another way. */
function sourceHtml({ hash }: ExportedRevision, text: string): string {
  return `<details class="source"><summary>Source</summary><pre dir="ltr"><code>${shown(text)}</code></pre><p class="hash">SHA-256 ${shown(hash)}</p></details>`;
}

function shown(text: string): string {
  return escapeHtml(makeVisible(text));
}
