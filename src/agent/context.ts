/**
 * What the agent sees before its next turn, where that is not simply all that was said.
 *
 *   window    the opening and the last turns; older ones leave, or only their observations do
 *   summary   everything, until a row grows over a budget: then the policy sums up, and the summary stands for it all
 *   state     never more than the opening, a state that the policy rewrites after every observation, and that observation
 *
 * A rule that drops something begins a new row, which is a segment of the same rollout: the tokens that the policy samples
 * there, summaries and states among them, are its actions like any others.
 */
import type { Message } from "../spec/index.ts";
import type { Conversation, Pause } from "./hooks.ts";

export type ContextOptions =
  | { readonly context: "growing" }
  | {
      readonly context: "window";
      readonly turns: number;
      /** What becomes of older turns: they leave as a whole, or their observations become a placeholder. */
      readonly drops: "turns" | "observations";
    }
  | {
      readonly context: "summary";
      /** A row that would be longer than this is summed up. */
      readonly tokens: number;
      /** One more than this ends the rollout. */
      readonly most: number;
    }
  | {
      readonly context: "state";
      /** Longer observations are read in pieces, the state being rewritten after each. */
      readonly chunkCharacters?: number;
    };

export interface Exchange {
  /** The agent's message, and what came back. */
  readonly message: string;
  readonly observation: Message;
}

/** Makes an exchange the last that the agent sees. `opening` is how every prompt of this rollout begins. */
export type ContextRule = (
  conversation: Conversation,
  opening: readonly Message[],
  exchange: Exchange,
) => Promise<Pause>;

/** What is said to a policy that is to write something else than an action. */
export const REQUESTS = {
  plan: "Plan the steps.",
  summary: "Sum up so far.",
  state: "Write what to remember.",
  note: "Note what to know next time.",
  act: "Now act.",
} as const;

/** A rule with its memory, for one rollout. */
export function contextRule(options: ContextOptions): ContextRule {
  switch (options.context) {
    case "growing":
      return async (conversation, _, { observation }) => fitting(conversation.hear(observation));
    case "window":
      return windowRule(options);
    case "summary":
      return summaryRule(options);
    case "state":
      return stateRule(options);
    default:
      return options satisfies never;
  }
}

const LEFT_OUT: Message = { role: "environment", content: "(left out)" };

function windowRule({ turns, drops }: Extract<ContextOptions, { context: "window" }>): ContextRule {
  const exchanges: Exchange[] = [];
  return async (conversation, opening, exchange) => {
    exchanges.push(exchange);
    const older = exchanges.length - turns;
    if (older <= 0) return fitting(conversation.hear(exchange.observation));
    const seen = exchanges.flatMap(({ message, observation }, i): Message[] => {
      const said: Message = { role: "assistant", content: message };
      if (i >= older) return [said, observation];
      return drops === "turns" ? [] : [said, LEFT_OUT];
    });
    return fitting(conversation.start([...opening, ...seen]));
  };
}

function summaryRule({
  tokens,
  most,
}: Extract<ContextOptions, { context: "summary" }>): ContextRule {
  let summaries = 0;
  return async (conversation, opening, { observation }) => {
    if (conversation.sizeWith(observation) <= tokens)
      return fitting(conversation.hear(observation));
    if (summaries++ >= most) return "token-limit";
    if (!conversation.hear(withText(observation, REQUESTS.summary))) return "token-limit";
    const summary = await conversation.write("summary");
    if (summary === undefined) return "cancelled";
    return fitting(conversation.start(endingWith(opening, `So far: ${summary}`, REQUESTS.act)));
  };
}

function stateRule({
  chunkCharacters,
}: Extract<ContextOptions, { context: "state" }>): ContextRule {
  let state = "";
  return async (conversation, opening, { message, observation }) => {
    for (const piece of chunksOf(observation.content, chunkCharacters)) {
      const known = state === "" ? [] : [`You remember: ${state}`];
      const texts = [...known, `You ran: ${message}`, `It printed: ${piece}`, REQUESTS.state];
      if (!conversation.start(endingWith(opening, ...texts))) return "token-limit";
      const written = await conversation.write("state");
      if (written === undefined) return "cancelled";
      state = written;
    }
    return fitting(conversation.hear({ role: "environment", content: REQUESTS.act }));
  };
}

/** At least one piece; cut by characters, never inside a surrogate pair. */
export function chunksOf(text: string, length = Infinity): string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let from = 0; from < characters.length; from += length) {
    pieces.push(characters.slice(from, from + length).join(""));
  }
  return pieces.length === 0 ? [""] : pieces;
}

export function withText(message: Message, ...texts: readonly string[]): Message {
  const content = [message.content.trimEnd(), ...texts].filter((text) => text !== "").join("\n");
  return { ...message, content };
}

/** The messages with these lines at the end of the last one: roles keep alternating, as chat templates want. */
export function endingWith(messages: readonly Message[], ...texts: readonly string[]): Message[] {
  const last = messages.at(-1);
  const lines: Message = last
    ? withText(last, ...texts)
    : { role: "user", content: texts.join("\n") };
  return [...messages.slice(0, -1), lines];
}

export function fitting(fits: boolean): Pause {
  return fits ? "go" : "token-limit";
}
