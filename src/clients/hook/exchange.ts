/** One exchange with a client: its payload comes in, our answer goes out, and whatever goes wrong between is a refusal (B11.4). */
import { isUtf8 } from "node:buffer";
import { errorText } from "../../core/error-text.ts";
import { isObject } from "../../core/wire/shape.ts";
import { loadPrompts } from "../../prompts/index.ts";
import { renderClientRefusal, type ClientRefusal } from "../../prompts/render/client-refusal.ts";
import type { Client, GuardAnswer, HookInput, Occasion, Spoken } from "../client.ts";
import { withinTime } from "../guard/within-time.ts";

export interface ExchangeOptions {
  /** Null: nobody knows an agent of that name. */
  readonly client: Client | null;
  readonly event: string;
  /** The entry may wait for a person, also where it comes before the client's own dialog. */
  readonly isForReview?: boolean;
  readonly environment: HookInput["environment"];
  /** What the row may look at. */
  readonly sight: Pick<HookInput, "readText" | "readTail" | "listNames" | "ancestors">;
  /** A person is asked: the time of a person begins. */
  readonly onReview?: () => void;
  readonly signal?: AbortSignal;
  /** For the person, on stderr. */
  readonly tell?: (line: string) => void;
}

export interface Exchange {
  /** Never rejects. */
  readonly answer: (bytes: Uint8Array) => Promise<Spoken>;
  /** What is said instead of an answer that does not come. Never throws. */
  readonly refusal: (refusal: ClientRefusal) => Spoken;
}

export function openExchange(options: ExchangeOptions): Exchange {
  const { client, event } = options;
  const prompts = loadPrompts();
  let payload: unknown = null;
  const refusal = (about: ClientRefusal): Spoken => {
    const reason = renderClientRefusal(prompts, about);
    return spoken(options, { kind: "refuse", reason }, payload);
  };
  return {
    refusal,
    async answer(bytes) {
      if (client === null) return refusal({ kind: "unreadable", problem: "an agent of that name is not known" });
      try {
        const parsed = parse(bytes);
        if ("problem" in parsed) return refusal({ kind: "unreadable", problem: parsed.problem });
        payload = parsed.payload;
        const { environment, sight } = options;
        const occasion = withinTime(() => client.hear({ event, payload, environment, ...sight }));
        const said = isForeign(client, event, occasion)
          ? unreadable(`the event ${event} is not known`)
          : await answerTo(occasion, { ...options, client });
        return "answer" in said ? spoken(options, said.answer, payload) : refusal(said.refusal);
      } catch (error) {
        return refusal({ kind: "failed", problem: errorText(error) });
      }
    },
  };
}

type Said = { readonly answer: GuardAnswer } | { readonly refusal: ClientRefusal };
type Known = ExchangeOptions & { readonly client: Client };

async function answerTo(occasion: Occasion, options: Known): Promise<Said> {
  switch (occasion.kind) {
    case "other":
      return noOpinion;
    case "unreadable":
      return unreadable(occasion.problem);
    case "tool": {
      if (occasion.planning === "work") return noOpinion;
      const { client, environment } = options;
      const { loadJudge } = await import("./late.ts");
      const { judge } = await loadJudge();
      return { answer: await judge(occasion, { client, environment, prompts: loadPrompts() }) };
    }
    case "plan": {
      const { client, event, isForReview = false } = options;
      const isAhead = client.reviewsAt?.includes(event) === false;
      if (isAhead && !isForReview) return { answer: { kind: "leave-to-client" } };
      const { loadReviewed } = await import("./late.ts");
      const { reviewed } = await loadReviewed();
      return { answer: await reviewed(occasion, { ...options, isAhead }) };
    }
    case "answered": {
      const { loadReviewed } = await import("./late.ts");
      const { tellElsewhere } = await loadReviewed();
      await tellElsewhere(occasion, options);
      return noOpinion;
    }
  }
}

const noOpinion: Said = { answer: { kind: "no-opinion" } };

function unreadable(problem: string): Said {
  return { refusal: { kind: "unreadable", problem } };
}

/** An event that no entry of ours is for: only a client that says that it works is left alone. */
function isForeign(client: Client, event: string, occasion: Occasion): boolean {
  return !client.events.includes(event) && !(occasion.kind === "tool" && occasion.planning === "work");
}

function parse(bytes: Uint8Array): { readonly payload: unknown } | { readonly problem: string } {
  if (bytes.length === 0) return { problem: "there was no payload" };
  if (!isUtf8(bytes)) return { problem: "the payload is not UTF-8" };
  try {
    const payload: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(payload) ? { payload } : { problem: "the payload is no JSON object" };
  } catch {
    return { problem: "the payload is not JSON" };
  }
}

/** A row that does not say it in its client's words is not relied on: exit code 2 stops the call wherever a code means anything. */
function spoken({ client, event }: ExchangeOptions, answer: GuardAnswer, payload: unknown): Spoken {
  try {
    if (client !== null) return withinTime(() => client.say(event, answer, payload));
  } catch {
    /* said below */
  }
  const reason = answer.kind === "refuse" ? answer.reason : "the answer could not be said";
  return { stdout: "", stderr: `groundplan: ${reason}\n`, exitCode: 2 };
}
