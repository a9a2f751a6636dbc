/** What the drawn face and the one of lines do alike. */
import type { OfferFacts } from "../../core/decide/offers.ts";
import type { FaceOptions, SessionLink, TerminalFace } from "./link.ts";
import { chooseEditor } from "./overlays/external-editor.ts";
import type { TerminalPersonOptions } from "./person.ts";
import { hearRenewedChoices } from "./renewed-choices.ts";
import { modeOf, type Screen } from "./screen/screen.ts";
import type { ScreenInput } from "./update.ts";
import type { FaceWishes, ScreenWish } from "./wishes.ts";

export interface EitherShell {
  readonly options: FaceOptions;
  readonly live: { screen: Screen; link: SessionLink | null };
  readonly faceWishes: FaceWishes;
  readonly dispatch: (input: ScreenInput) => void;
}

type Doors = Pick<TerminalFace, "tell" | "listen" | "submit" | "wish" | "leave">;

/** What the program may do with either, and what its person must know. */
export function openDoors({ options, live, faceWishes, dispatch }: EitherShell): {
  readonly doors: Doors;
  readonly asking: TerminalPersonOptions;
} {
  const { user, readText, words } = options;
  const offers = hearRenewedChoices();
  const doors: Doors = {
    tell: (text) => dispatch({ type: "said", items: [{ kind: "notice", text, tone: "plain" }] }),
    listen(happening) {
      offers.hear(happening);
      dispatch({ type: "happened", happening, now: Date.now(), words });
    },
    submit: (text) => dispatch({ type: "line-given", text }),
    wish: () => faceWishes.next(),
    leave: (kind) => dispatch({ type: "program-wanted", wish: { kind } }),
  };
  const mode = (): ReturnType<typeof modeOf> => modeOf(live.screen);
  const standing = (): OfferFacts | null => live.screen.session;
  return { doors, asking: { user, mode, offers, standing, readText } };
}

/** What is wanted of the session or the program, not of the terminal. */
export function passOn({ live, faceWishes }: EitherShell, wish: ScreenWish): void {
  if (wish.kind === "send") void live.link?.current().send(wish.event);
  if (wish.kind !== "tell-program") return;
  if (wish.wish.kind === "switch") live.link = null;
  faceWishes.add(wish.wish);
}

export function editorOf({ live, options }: Pick<EitherShell, "live" | "options">): string | null {
  return chooseEditor(live.link?.settings.editor ?? null, options.environment);
}
