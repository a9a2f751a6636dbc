/** All choices, in R7.4's order. */
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Choice } from "../../../../core/verdict.ts";
import { choiceHint, labelOf } from "../verdict.ts";
import type { Dispatch } from "./props.ts";

interface ChoicesProps {
  readonly choices: readonly Choice[];
  readonly chosen: number;
  readonly isLoose: boolean;
  readonly dispatch: Dispatch;
}

export function Choices({ choices, chosen, isLoose, dispatch }: ChoicesProps): VNode {
  const list = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => list.current?.querySelector<HTMLInputElement>("input:checked")?.focus(), []);
  return (
    <fieldset
      id="choices"
      class="choices"
      ref={list}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          dispatch({ type: "opened", what: null });
          document.getElementById("answer")?.focus();
        }
        const place = Number(event.key) - 1;
        if (choices[place] !== undefined) dispatch({ type: "choice-made", choice: place });
      }}
    >
      <legend>Your decision</legend>
      {choices.map((choice, index) => (
        <label>
          <input
            type="radio"
            name="choice"
            checked={index === chosen}
            onChange={() => dispatch({ type: "choice-made", choice: index })}
          />
          <span>
            <span class="number">{index + 1}</span> {labelOf(choice, isLoose)}
            <small>{choiceHint(choice, isLoose)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
