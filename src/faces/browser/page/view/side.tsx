/** Beside the plan: its contents, the files it names, answered questions, and what was decided. */
import type { ComponentChildren, VNode } from "preact";
import { useMemo } from "preact/hooks";
import { localTime } from "../../../../agent/loop/local-time.ts";
import { makeVisible } from "../../../../core/wire/visible.ts";
import type { NamedFile, ReviewState } from "../../desks/wire.ts";
import type { Block } from "../markdown/parse.ts";
import type { Todo } from "../../../../core/reminders/reminder.ts";
import { goToLine } from "./jump.ts";
import { Contents, outlineOf } from "./contents.tsx";

interface SideProps {
  readonly blocks: readonly Block[];
  readonly server: ReviewState;
  readonly isReading: boolean;
}

export function Side({ blocks, server, isReading }: SideProps): VNode {
  const sections = useMemo(() => outlineOf(blocks), [blocks]);
  const isCarriedOut = ["approved", "executing", "done"].includes(server.plan.status);
  return (
    <div class="side">
      {isCarriedOut && <Progress todos={server.todos ?? []} />}
      {isCarriedOut && server.verified !== undefined && <Verified {...server.verified} />}
      {sections.length > 0 && isReading && <Contents sections={sections} />}
      <Part title="Files in the plan" count={server.files.length}>
        <ul class="files">
          {server.files.map(({ path, state }) => (
            <li class={isCarriedOut && state === "changed" ? "written" : state}>
              <button
                type="button"
                class="jump"
                title="Go to where the plan names it"
                onClick={() => goToWords(server.text, path)}
              >
                <code>{makeVisible(path)}</code>
              </button>{" "}
              <span class="chip">{isCarriedOut ? workStates[state] : fileStates[state]}</span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Changed while planning" count={server.changed.length}>
        <ul class="files">
          {server.changed.map((path) => (
            <li class="changed">
              <code>{makeVisible(path)}</code>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Answered questions" count={server.answers.length}>
        <dl>
          {server.answers.map(({ question, answer }) => (
            <>
              <dt>{makeVisible(question)}</dt>
              <dd>{makeVisible(answer)}</dd>
            </>
          ))}
        </dl>
      </Part>
      <Part title="History" count={server.revisions.length + server.decisions.length}>
        <History server={server} />
      </Part>
    </div>
  );
}

const fileStates: Record<NamedFile["state"], string> = {
  same: "",
  changed: "changed since",
  missing: "gone since",
  new: "new",
};

/** After the approval a change is what was planned. */
const workStates: Record<NamedFile["state"], string> = {
  same: "to do",
  changed: "written",
  missing: "gone",
  new: "to do",
};

/** The line that names it first. */
function goToWords(text: string, words: string): void {
  const line = text.split("\n").findIndex((each) => each.includes(words));
  if (line >= 0) goToLine(line + 1);
}

/** The steps as they are carried out. */
function Progress({ todos }: { readonly todos: readonly Todo[] }): VNode | null {
  const done = todos.filter(({ status }) => status === "completed").length;
  return (
    <Part title={`Steps, ${done} of ${todos.length} done`} count={0} isEmpty={todos.length === 0}>
      <ol class="progress" aria-live="polite">
        {todos.map(({ content, status }) => (
          <li class={status}>
            <span class="unseen">{statusNames[status]}: </span>
            {makeVisible(content)
              .split("`")
              .map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}
          </li>
        ))}
      </ol>
    </Part>
  );
}

/** What `groundplan verify` found. */
function Verified({ passed, found, at }: NonNullable<ReviewState["verified"]>): VNode {
  return (
    <Part title="Verified" count={found.length} isEmpty={false}>
      <p class={passed ? "verdict" : "verdict bad"} role="status">
        {passed ? "✓ Every check passed" : "✗ Not as planned yet"} <time>{localTime(at)}</time>
      </p>
      <ul>
        {found.slice(0, mostFound).map((text) => (
          <li>{makeVisible(text)}</li>
        ))}
        {found.length > mostFound && <li>and {found.length - mostFound} more</li>}
      </ul>
    </Part>
  );
}

const mostFound = 10;

const statusNames: Record<Todo["status"], string> = {
  pending: "to do",
  in_progress: "under way",
  completed: "done",
};

interface SidePartProps {
  readonly title: string;
  readonly count: number;
  readonly isEmpty?: boolean;
  readonly children: ComponentChildren;
}

function Part({ title, count, isEmpty = count === 0, children }: SidePartProps): VNode | null {
  const isWide = window.matchMedia("(min-width: 75em)").matches;
  if (isEmpty) return null;
  return (
    <details class="part" open={isWide && title !== "History"}>
      <summary>
        {title} {count > 0 && <span class="count">{count}</span>}
      </summary>
      {children}
    </details>
  );
}

function History({ server }: { readonly server: ReviewState }): VNode {
  const entries = [
    ...server.revisions.map(({ number, at, by }) => ({ at, text: `Revision ${number} by the ${by}` })),
    ...server.decisions.map(({ kind, by, at }) => ({
      at,
      text: `${decisions[kind]} by ${makeVisible(by.user)} (${makeVisible(by.surface)})`,
    })),
  ].toSorted((a, b) => a.at - b.at);
  return (
    <ol class="history">
      {entries.map(({ at, text }) => (
        <li>
          {text} <time dateTime={new Date(at).toISOString()}>{localTime(at)}</time>
        </li>
      ))}
    </ol>
  );
}

const decisions = {
  approve: "Approved",
  revise: "Sent back",
  save: "Saved",
  abandon: "Abandoned",
  dismiss: "Closed",
} as const;
