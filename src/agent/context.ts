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
import type { Continuation, Conversation } from "./rollout-hooks.ts";

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
      readonly maxSummaries: number;
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
) => Promise<Continuation>;

/** What is said to a policy that is to write something else than an action. */
export const WRITING_REQUESTS = {
  plan: "Plan the steps.",
  summary: "Sum up so far.",
  state: "Write what to remember.",
  note: "Note what to know next time.",
  act: "Now act.",
} as const;

/** A rule with its memory, for one rollout. */
export function createContextRule(options: ContextOptions): ContextRule {
  switch (options.context) {
    case "growing":
      return async (conversation, _, { observation }) =>
        continueIfFits(conversation.append(observation));
    case "window":
      return createWindowRule(options);
    case "summary":
      return createSummaryRule(options);
    case "state":
      return createStateRule(options);
    default:
      return options satisfies never;
  }
}

const OMITTED_OBSERVATION: Message = { role: "environment", content: "(left out)" };

function createWindowRule({
  turns,
  drops,
}: Extract<ContextOptions, { context: "window" }>): ContextRule {
  const pastExchanges: Exchange[] = [];
  return async (conversation, opening, exchange) => {
    pastExchanges.push(exchange);
    const older = pastExchanges.length - turns;
    if (older <= 0) return continueIfFits(conversation.append(exchange.observation));
    const seen = pastExchanges.flatMap(({ message, observation }, i): Message[] => {
      const said: Message = { role: "assistant", content: message };
      if (i >= older) return [said, observation];
      return drops === "turns" ? [] : [said, OMITTED_OBSERVATION];
    });
    return continueIfFits(conversation.startRow([...opening, ...seen]));
  };
}

function createSummaryRule({
  tokens,
  maxSummaries: most,
}: Extract<ContextOptions, { context: "summary" }>): ContextRule {
  let summaries = 0;
  return async (conversation, opening, { observation }) => {
    if (conversation.sizeAfter(observation) <= tokens)
      return continueIfFits(conversation.append(observation));
    if (summaries++ >= most) return "token-limit";
    if (!conversation.append(appendLines(observation, WRITING_REQUESTS.summary)))
      return "token-limit";
    const summary = await conversation.writePart("summary");
    if (summary === undefined) return "cancelled";
    return continueIfFits(
      conversation.startRow(
        appendToLastMessage(opening, `So far: ${summary}`, WRITING_REQUESTS.act),
      ),
    );
  };
}

function createStateRule({
  chunkCharacters,
}: Extract<ContextOptions, { context: "state" }>): ContextRule {
  let state = "";
  return async (conversation, opening, { message, observation }) => {
    for (const piece of splitIntoChunks(observation.content, chunkCharacters)) {
      const known = state === "" ? [] : [`You remember: ${state}`];
      const texts = [
        ...known,
        `You ran: ${message}`,
        `It printed: ${piece}`,
        WRITING_REQUESTS.state,
      ];
      if (!conversation.startRow(appendToLastMessage(opening, ...texts))) return "token-limit";
      const written = await conversation.writePart("state");
      if (written === undefined) return "cancelled";
      state = written;
    }
    return continueIfFits(
      conversation.append({ role: "environment", content: WRITING_REQUESTS.act }),
    );
  };
}

/** At least one piece; cut by characters, never inside a surrogate pair. */
export function splitIntoChunks(text: string, length = Infinity): string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let from = 0; from < characters.length; from += length) {
    pieces.push(characters.slice(from, from + length).join(""));
  }
  return pieces.length === 0 ? [""] : pieces;
}

export function appendLines(message: Message, ...texts: readonly string[]): Message {
  const content = [message.content.trimEnd(), ...texts].filter((text) => text !== "").join("\n");
  return { ...message, content };
}

/** The messages with these lines at the end of the last one: roles keep alternating, as chat templates want. */
export function appendToLastMessage(
  messages: readonly Message[],
  ...texts: readonly string[]
): Message[] {
  const last = messages.at(-1);
  const lines: Message = last
    ? appendLines(last, ...texts)
    : { role: "user", content: texts.join("\n") };
  return [...messages.slice(0, -1), lines];
}

export function continueIfFits(fits: boolean): Continuation {
  return fits ? "go" : "token-limit";
}
