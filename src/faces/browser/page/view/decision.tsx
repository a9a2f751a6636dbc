/** The decision: a message, the two most frequent answers, and all of them in R7.4's order. */
import type { VNode } from "preact";
import type { PageConnection } from "../connection.ts";
import {
  hasWords,
  isOtherPlan,
  isOutdated,
  mayDecide,
  type Composer,
  type PageState,
  type UnsentWords,
} from "../state.ts";
import { choiceHint, hasNoMode, labelOf } from "../verdict.ts";
import type { Choice } from "../../../../core/verdict.ts";
import type { ReviewState } from "../../desks/wire.ts";
import { Choices } from "./choices.tsx";
import type { PartProps } from "./props.ts";

export function Decision(props: PartProps & { readonly connection: PageConnection }): VNode | null {
  const { state, server, dispatch, connection } = props;
  const { request } = server;
  const canSay = hasWords(state.words);
  if (state.link === "gone" && !canSay) return null;
  if (request === null && server.client !== undefined) return null;
  if (request === null && !canSay && server.session?.live !== true) return null;
  return (
    <footer class="decision" aria-label="Your decision">
      <div class="sheet-wide">
        <div class="bar">
          <label class="message" for="message">
            <span class="unseen">Notes or feedback for the model</span>
            <textarea
              id="message"
              rows={1}
              placeholder={placeholderFor(server)}
              value={state.words.message}
              onInput={(event) => dispatch({ type: "message-changed", text: event.currentTarget.value })}
            />
          </label>
          <p class="carries" aria-live="polite">
            {carriesText(state, server)}
          </p>
          {request === null ? (
            <button
              type="button"
              class="primary"
              disabled={!canSay || state.link !== "live" || state.sending}
              onClick={() => void connection.say()}
            >
              Send to the model
            </button>
          ) : (
            <Answers {...props} />
          )}
        </div>
      </div>
    </footer>
  );
}

function Answers({ state, server, dispatch, connection }: PartProps & { readonly connection: PageConnection }): VNode {
  const choices = server.request?.choices ?? [];
  const chosen = choices[state.choice] ?? choices[0];
  const revise = choices.findIndex(({ kind }) => kind === "revise");
  const isOff = !mayDecide(state);
  const wanted = changesWanted(state);
  return (
    <div class="answers">
      {revise >= 0 && chosen?.kind !== "revise" && (
        <button
          type="button"
          id="send-back"
          class={wanted > 0 ? "primary" : undefined}
          aria-disabled={isOff}
          title="No, keep planning: goes back with your comments and feedback"
          onClick={() => void connection.decide(revise)}
        >
          {wanted === 0 ? "Send back" : `Send back, ${wanted} ${wanted === 1 ? "comment" : "comments"}`}
        </button>
      )}
      {chosen !== undefined && (
        <span class="split">
          <button
            type="button"
            id="answer"
            class={wanted > 0 ? undefined : isYes(chosen) ? "primary" : "primary other"}
            aria-disabled={isOff}
            title={choiceHint(chosen, hasNoMode(server))}
            onClick={() => void connection.decide(choices.indexOf(chosen))}
          >
            {labelOf(chosen, hasNoMode(server))}
          </button>
          <button
            type="button"
            class={wanted > 0 ? "more" : "primary more"}
            aria-label="All choices"
            title="All choices (a)"
            aria-expanded={state.open === "choices"}
            aria-controls="choices"
            onClick={() => dispatch({ type: "opened", what: state.open === "choices" ? null : "choices" })}
          >
            ▴
          </button>
        </span>
      )}
      {state.open === "choices" && (
        <Choices choices={choices} chosen={state.choice} isLoose={hasNoMode(server)} dispatch={dispatch} />
      )}
    </div>
  );
}

function isYes({ kind }: Choice): boolean {
  return kind === "approve" || kind === "approve-fresh";
}

/** How many comments go back, where one of them asks for another text; the one that is being written is one, too. */
function changesWanted({ words }: PageState): number {
  const added = Object.keys(words.replies).length;
  const said = [...words.drafts, ...beingWritten(words)];
  return added > 0 || said.some(({ kind }) => kind === "change") ? said.length + added : 0;
}

/** Where it is no change of a draft. */
function beingWritten({ drafts, composer }: UnsentWords): readonly Composer[] {
  const isNew = composer !== null && !drafts.some(({ id }) => id === composer.id) && composer.text.trim() !== "";
  return isNew ? [composer] : [];
}

function placeholderFor({ request, client }: ReviewState): string {
  if (request === null) return "Words for the model";
  return client?.notes === false ? "Feedback with a no" : "Notes with a yes, feedback with a no";
}

function carriesText(state: PageState, { request }: ReviewState): string {
  if (state.link !== "live") return "Not connected";
  if (isOutdated(state)) return isOtherPlan(state) ? "Another plan waits" : "A newer revision is here";
  const { drafts, replies, resolved, edit } = state.words;
  const said = drafts.length + Object.keys(replies).length + beingWritten(state.words).length;
  const parts = [
    ...(said > 0 ? [`${said} ${said === 1 ? "comment" : "comments"}`] : []),
    ...(resolved.length > 0 ? [`${resolved.length} settled`] : []),
    ...(edit === null ? [] : ["your edit"]),
  ];
  if (parts.length > 0) return `Goes along: ${parts.join(", ")}`;
  return request === null ? "Nothing to decide now" : "";
}
