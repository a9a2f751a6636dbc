import { describe, expect, test } from "vitest";
import type { ReviewState } from "../desks/wire.ts";
import { firstText, hashOfText, secondText, serverState } from "./page-fixtures.ts";
import { isOutdated, mayDecide, opening, textOf, type PageState } from "./state.ts";
import { update, type PageHappening } from "./update.ts";

const first = serverState(firstText);
const second = serverState(secondText, { version: 3, previous: firstText });
const came = (state: ReviewState): PageHappening => ({ type: "state-came", state, hash: hashOfText(state.text) });
const live: PageHappening = { type: "link-changed", link: "live" };
const armed = (text: string, requestId: string | null = serverState(text).request!.id): PageHappening => {
  return { type: "armed", hash: hashOfText(text), requestId };
};
const place = { from: 3, to: 3, quote: "- one" };
const draft = { id: "d", kind: "change", ...place, text: "Why?" } as const;

function after(...events: readonly PageHappening[]): PageState {
  return events.reduce(update, opening);
}

const sent = { type: "sent", plan: "p", words: opening.words } as const;
const ready = [came(first), live, armed(firstText)];

describe("what can be decided", () => {
  test("B2.4 a text can be answered only after it has been seen for a moment, on a live line", () => {
    expect(mayDecide(after(came(first), live))).toBe(false);
    expect(mayDecide(after(came(first), armed(firstText)))).toBe(false);
    expect(mayDecide(after(...ready))).toBe(true);
    expect(mayDecide(after(...ready, { type: "link-changed", link: "lost" }))).toBe(false);
    expect(mayDecide(after(...ready, { type: "sending" }))).toBe(false);
    expect(mayDecide(after(...ready, came({ ...first, version: 2, request: null })))).toBe(false);
  });

  test("B2.1 a text with another hash than the server says is never shown for approval", () => {
    const wrong = after({ type: "state-came", state: first, hash: "something else" }, live);
    expect(wrong.shown).toBe(null);
    expect(wrong.problem).toMatch(/Nothing can be approved/);
  });

  test("B2.1 a newer text does not take the place of the one that is read, and that one cannot be approved any more", () => {
    const state = after(...ready, came(second));
    expect({ text: textOf(state), outdated: isOutdated(state), may: mayDecide(state) }).toEqual({
      text: firstText,
      outdated: true,
      may: false,
    });
    const followed = update(state, { type: "newest-wanted" });
    expect({ text: textOf(followed), may: mayDecide(followed), view: followed.view }).toEqual({
      text: secondText,
      may: false,
      view: { kind: "compare", from: "previous", to: "now", style: "rendered" },
    });
    expect(mayDecide(update(followed, armed(secondText)))).toBe(true);
    expect(mayDecide(update(followed, armed(firstText)))).toBe(false);
  });

  test("B3.1 after an answer the next revision appears by itself, with its difference", () => {
    const answered = came({ ...first, version: 2, request: null });
    const state = after(...ready, { type: "sending" }, sent, answered, came(second));
    expect({ text: textOf(state), view: state.view.kind }).toEqual({ text: secondText, view: "compare" });
  });

  test("B3.1 a text that the model wrote before it submitted it is shown with its difference when it is submitted", () => {
    const answered = came({ ...first, version: 2, request: null });
    const draft = came({ ...second, version: 3, request: null, previous: null });
    const drafted = after(...ready, { type: "sending" }, sent, answered, draft);
    expect({ text: textOf(drafted), view: drafted.view.kind }).toEqual({ text: secondText, view: "read" });
    const submitted = update(drafted, came({ ...second, version: 4 }));
    expect(submitted.view).toEqual({ kind: "compare", from: "previous", to: "now", style: "rendered" });
    const reading = update(submitted, { type: "view-chosen", view: { kind: "read" } });
    const again = [came({ ...second, version: 5, request: null }), came({ ...second, version: 6 })].reduce(
      update,
      reading,
    );
    expect(again.view.kind).toBe("read");
  });

  test("B2.4 a question on a text that was there already is not answered by what was meant for the page before it", () => {
    const draft = came({ ...first, version: 2, request: null });
    const drafted = after(draft, live, armed(firstText, null));
    const asked = update(drafted, came({ ...first, version: 3 }));
    expect(mayDecide(asked)).toBe(false);
    expect(mayDecide(update(asked, armed(firstText, null)))).toBe(false);
    expect(mayDecide(update(asked, armed(firstText)))).toBe(true);
    const other = came({ ...first, version: 4, request: { ...first.request!, id: "another" } });
    expect(mayDecide(update(update(asked, armed(firstText)), other))).toBe(false);
  });

  test("B3.1 words that are being written keep the text they are about", () => {
    const answered = came({ ...first, version: 2, request: null });
    const writing: PageHappening = { type: "composer-opened", place, id: "d" };
    expect(textOf(after(...ready, writing, answered, came(second)))).toBe(firstText);
    expect(textOf(after(...ready, { type: "edited", text: "mine" }, answered, came(second)))).toBe("mine");
  });
});

describe("words belong to one plan", () => {
  const theirs = serverState(secondText, { version: 9, plan: { ...first.plan, id: "bo's", title: "Theirs" } });

  test("B3.2 another plan does not take the place of one that is written about, and gets none of its words", () => {
    const writing = after(...ready, { type: "message-changed", text: "for this one" }, came(theirs));
    expect({ text: textOf(writing), title: writing.shown?.facts.plan.title, may: mayDecide(writing) }).toEqual({
      text: firstText,
      title: "Plan",
      may: false,
    });
    const followed = update(writing, { type: "newest-wanted" });
    expect({ text: textOf(followed), words: followed.words, may: mayDecide(followed) }).toEqual({
      text: secondText,
      words: opening.words,
      may: false,
    });
  });

  test("B2.6 once it is answered the next plan comes by itself, also where its news came first", () => {
    const answered = after(...ready, { type: "message-changed", text: "x" }, { type: "sending" }, came(theirs));
    const next = [{ ...sent, words: answered.words }, came(theirs)].reduce(update, answered);
    expect([textOf(next), next.words.message]).toEqual([secondText, ""]);
  });

  test("B3.2 what is typed while an answer is on its way stays, of the same plan and of the one that came meanwhile", () => {
    const said = after(...ready, { type: "message-changed", text: "x" }, { type: "sending" });
    const more = update(said, { type: "reply-changed", id: "c", text: "and this" });
    const done = update(more, { ...sent, words: said.words });
    expect([done.words.message, done.words.replies]).toEqual(["", { c: "and this" }]);
    const other = after(...ready, { type: "sending" }, came(theirs), { type: "message-changed", text: "for theirs" });
    expect(update(other, sent).words.message).toBe("for theirs");
  });

  test("B2.6 a session without a plan of its own leaves the decided one before the eyes, and nothing can be decided", () => {
    const none = serverState("", { version: 9, plan: { ...first.plan, id: "" }, request: null });
    const state = after(...ready, came(none));
    expect({ text: textOf(state), may: mayDecide(state), asked: state.server?.request }).toEqual({
      text: firstText,
      may: false,
      asked: null,
    });
  });

  test("B3.2 what the session has heard is no draft any more", () => {
    const placed = { ...draft, anchor: "kept" } as const;
    const said = after(...ready, {
      type: "words-restored",
      words: { ...opening.words, drafts: [draft] },
      hash: first.hash,
    });
    expect(update(said, came({ ...first, version: 2, comments: [placed] })).words.drafts).toEqual([]);
  });
});

describe("nothing typed is lost", () => {
  const writing: readonly PageHappening[] = [
    { type: "composer-opened", place, id: "d" },
    { type: "composer-changed", text: "Why?" },
    { type: "composer-kept" },
  ];

  test("B3.2 a draft follows its words into the newer text", () => {
    const state = after(...ready, ...writing, came(second), { type: "newest-wanted" });
    expect(state.words.drafts).toEqual([{ ...draft, from: 4, to: 4 }]);
  });

  test("B3.2 a half-written comment follows, too", () => {
    const state = after(...ready, ...writing.slice(0, 2), came(second), { type: "newest-wanted" });
    expect(state.words.composer).toMatchObject({ text: "Why?", place: { from: 4, to: 4, quote: "- one" } });
  });

  test("B3.5 an edit of the older text is put aside, not lost and not sent", () => {
    const state = after(...ready, { type: "edited", text: "mine\n" }, came(second), { type: "newest-wanted" });
    expect({ edit: state.words.edit, shelved: state.words.shelved }).toEqual({ edit: null, shelved: "mine\n" });
  });

  test("words that were kept on an older text are restored on the newer one", () => {
    const words = { ...opening.words, drafts: [draft], edit: "mine\n", message: "also" };
    const state = after(came(second), { type: "words-restored", words, hash: hashOfText(firstText) });
    expect(state.words).toEqual({ ...words, drafts: [{ ...draft, from: 4, to: 4 }], edit: null, shelved: "mine\n" });
  });

  test("a refusal keeps the words, an acceptance clears them", () => {
    const said = after(...ready, ...writing, { type: "sending" });
    expect(update(said, { type: "failed", problem: "no" }).words.drafts).toEqual([draft]);
    expect(update(said, { ...sent, words: said.words }).words).toEqual(opening.words);
    expect(update(said, sent).words.drafts).toEqual([draft]);
  });

  test("a draft can be changed and removed; an empty one is none", () => {
    const changed = after(...ready, ...writing, { type: "composer-opened", place, id: "d" });
    expect(changed.words.composer).toEqual({ id: "d", place, kind: "change", text: "Why?", suggestion: null });
    const kept = update(update(changed, { type: "composer-changed", kind: "note" }), { type: "composer-kept" });
    expect(kept.words.drafts).toEqual([{ ...draft, kind: "note" }]);
    expect(update(kept, { type: "draft-removed", id: "d" }).words.drafts).toEqual([]);
    expect(after(...ready, writing[0]!, writing[2]!).words.drafts).toEqual([]);
  });

  test("an edit back to the shown text is no edit", () => {
    expect(after(...ready, { type: "edited", text: "x" }, { type: "edited", text: firstText }).words.edit).toBe(null);
  });
});
