/**
 * Decides what the agent sees before its next turn. There are four rules:
 *
 *   growing   the agent sees everything that was said so far
 *   window    it sees the opening and the last turns; older turns, or only their observations, are dropped
 *   summary   it sees everything until a row exceeds a budget; then the policy writes a summary that replaces it
 *   state     it sees the opening, a state that the policy rewrites after every observation, and that observation
 *
 * A rule that drops something begins a new row, which is a segment of the same rollout. The tokens that the policy
 * samples there, including summaries and states, are its actions like any other tokens.
 */
import type { Message } from "../spec/index.ts";
import type { Continuation, Conversation } from "./rollout-hooks.ts";

export type ContextOptions =
  | { readonly context: "growing" }
  | {
      readonly context: "window";
      readonly turns: number;
      /**
       * Says what is dropped of older turns: the whole turn, or only its observation, which a placeholder then
       * replaces.
       */
      readonly drops: "turns" | "observations";
    }
  | {
      readonly context: "summary";
      /** A row that would have more tokens than this is summarised. */
      readonly tokens: number;
      /** A rollout that needs more summaries than this ends. */
      readonly maxSummaries: number;
    }
  | {
      readonly context: "state";
      /** An observation longer than this is read in pieces, and the state is rewritten after each piece. */
      readonly chunkCharacters?: number;
    };

export interface AgentExchange {
  readonly message: string;
  readonly observation: Message;
}

/** Shows the agent an exchange as the latest one. `opening` is the beginning of every prompt of this rollout. */
export type ContextRule = (
  conversation: Conversation,
  opening: readonly Message[],
  exchange: AgentExchange,
) => Promise<Continuation>;

/** These texts ask the policy to write something other than an action. */
export const WRITING_REQUESTS = {
  plan: "Plan the steps.",
  summary: "Sum up so far.",
  state: "Write what to remember.",
  note: "Note what to know next time.",
  act: "Now act.",
} as const;

/** Creates the context rule for one rollout. A rule keeps its own memory, so rollouts must not share one. */
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
  const pastExchanges: AgentExchange[] = [];
  return async (conversation, opening, exchange) => {
    pastExchanges.push(exchange);
    const older = pastExchanges.length - turns;
    if (older <= 0) return continueIfFits(conversation.append(exchange.observation));
    const seen = pastExchanges.flatMap(({ message, observation }, i): Message[] => {
      const answer: Message = { role: "assistant", content: message };
      if (i >= older) return [answer, observation];
      return drops === "turns" ? [] : [answer, OMITTED_OBSERVATION];
    });
    return continueIfFits(conversation.startRow([...opening, ...seen]));
  };
}

function createSummaryRule({
  tokens,
  maxSummaries,
}: Extract<ContextOptions, { context: "summary" }>): ContextRule {
  let summaries = 0;
  return async (conversation, opening, { observation }) => {
    if (conversation.sizeAfter(observation) <= tokens)
      return continueIfFits(conversation.append(observation));
    if (summaries++ >= maxSummaries) return "token-limit";
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

/**
 * Splits a text into pieces of at most `length` characters and returns at least one piece. No surrogate pair is split.
 */
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

/**
 * Appends lines to the last message. No message is added, because chat templates expect user and assistant to
 * alternate.
 */
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
