/** The table of contents of a long plan, with the section that is being read. */
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { makeVisible } from "../../../../core/wire/visible.ts";
import { inlineTokens, type Block, type Node } from "../markdown/parse.ts";
import { slugOf } from "../markdown/draw-words.tsx";
import { noteLine } from "../markdown/marks.ts";
import { goToLine } from "./jump.ts";

interface Section {
  readonly level: number;
  readonly title: string;
  readonly line: number;
}

/** Empty for a plan that is seen at a glance. */
export function outlineOf(blocks: readonly Block[]): readonly Section[] {
  const sections = blocks.flatMap(({ token, children, from }) =>
    token.type === "heading_open"
      ? [{ level: Number(token.tag.slice(1)), title: wordsOf(children[0]), line: from }]
      : [],
  );
  const inside = sections.filter(({ level }, index) => index > 0 || level > 1);
  return inside.length < 3 ? [] : inside.filter(({ level }) => level <= 3);
}

/** A link to a place in the plan leads to its heading, its note, or to the line that it names; false for any other click. */
export function followLink(event: MouseEvent, blocks: readonly Block[], text: string): boolean {
  const link = (event.target as HTMLElement).closest<HTMLAnchorElement>('a[href^="#"]');
  if (link === null) return false;
  event.preventDefault();
  const wanted = decoded(link.getAttribute("href")!.slice(1));
  const line = placeOf(wanted, blocks, text);
  if (line !== null) goToLine(line, "start");
  if (line !== null && link.classList.contains("permalink")) {
    const name = headingNames(blocks).find((heading) => heading.line === line)?.name ?? wanted;
    history.replaceState(null, "", `#${encodeURIComponent(name)}`);
  }
  return true;
}

/** Where the page's own address names a place in the plan, it opens there. */
export function followAddress(blocks: readonly Block[], text: string): void {
  const line = location.hash === "" ? null : placeOf(decoded(location.hash.slice(1)), blocks, text);
  if (line !== null) goToLine(line, "start");
}

function placeOf(wanted: string, blocks: readonly Block[], text: string): number | null {
  const line = /^line-(\d+)$/.exec(wanted)?.[1];
  if (line !== undefined) return Number(line);
  if (wanted.startsWith("^^")) return noteLine(text, wanted.slice(2), "reference");
  if (wanted.startsWith("^")) return noteLine(text, wanted.slice(1), "note");
  return headingNames(blocks).find(({ name }) => name === wanted.toLowerCase())?.line ?? null;
}

/** Headings with the same words are told apart by a number. */
function headingNames(blocks: readonly Block[]): readonly { readonly name: string; readonly line: number }[] {
  const times = new Map<string, number>();
  return blocks.flatMap(({ token, children, from }) => {
    if (token.type !== "heading_open") return [];
    const slug = slugOf(wordsOf(children[0]));
    const time = times.get(slug) ?? 0;
    times.set(slug, time + 1);
    return [{ name: time === 0 ? slug : `${slug}-${time}`, line: from }];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function wordsOf(heading: Node | undefined): string {
  const tokens = heading === undefined ? [] : inlineTokens(heading.token);
  return makeVisible(tokens.map(({ type, content }) => (type === "softbreak" ? " " : content)).join(""));
}

export function Contents({ sections }: { readonly sections: readonly Section[] }): VNode {
  const active = useActiveSection(sections);
  const list = useRef<HTMLOListElement>(null);
  const isWide = window.matchMedia("(min-width: 75em)").matches;
  useEffect(() => showEntry(list.current), [active]);
  return (
    <details class="part contents" open={isWide}>
      <summary>Contents</summary>
      <nav aria-label="Contents">
        <ol ref={list}>
          {sections.map(({ level, title, line }) => (
            <li key={line} class={`level-${level}`}>
              <a
                href={`#line-${line}`}
                title={title}
                aria-current={line === active ? "location" : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  goToLine(line, "start");
                }}
              >
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
    </details>
  );
}

/** Keeps the marked entry of a long list in sight, without moving the page. */
function showEntry(list: HTMLElement | null): void {
  const entry = list?.querySelector<HTMLElement>("[aria-current]");
  const box = list?.closest<HTMLElement>(".side");
  if (entry === undefined || entry === null || box === undefined || box === null) return;
  const { top, bottom } = entry.getBoundingClientRect();
  const bounds = box.getBoundingClientRect();
  if (top < bounds.top || bottom > bounds.bottom) box.scrollTop += top - bounds.top - bounds.height / 3;
}

function useActiveSection(sections: readonly Section[]): number | null {
  const [active, setActive] = useState<number | null>(null);
  useEffect(() => {
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const above = scrollY === 0 ? null : lastAbove(sections);
      setActive((above ?? sections[0])?.line ?? null);
    };
    const later = (): void => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    look();
    addEventListener("scroll", later, { passive: true });
    return () => {
      removeEventListener("scroll", later);
      cancelAnimationFrame(frame);
    };
  }, [sections]);
  return active;
}

/** The last heading above the upper third of the window; asks for few places, each may cost a layout. */
function lastAbove(sections: readonly Section[]): Section | null {
  let low = 0;
  let high = sections.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const heading = document.getElementById(`line-${sections[middle]!.line}`);
    if (heading !== null && heading.getBoundingClientRect().top < window.innerHeight / 3) low = middle + 1;
    else high = middle;
  }
  return sections[low - 1] ?? null;
}
