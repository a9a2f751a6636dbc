/** What the parts of the page are given. */
import type { ReviewState } from "../../desks/wire.ts";
import type { PageState } from "../state.ts";
import type { PageHappening } from "../update.ts";

export type Dispatch = (event: PageHappening) => void;

export interface PartProps {
  readonly state: PageState;
  readonly server: ReviewState;
  readonly dispatch: Dispatch;
}

export interface Act {
  readonly label: string;
  readonly run: () => void;
}
