/**
 * Types of the agent: how an episode becomes a prompt, how a message becomes code, and what a policy is.
 *
 * A Scaffold writes messages, and a Renderer turns messages into tokens. A token policy continues exact token ids. A
 * message policy (a hosted model, a scripted fake) continues messages and has no tokens.
 */
import type { Sample, SampleRequest } from "./engine.ts";
import type { Turn } from "./rollout.ts";
import type { Demonstration, StepResult, TaskInfo } from "./world.ts";

/**
 * One message of an episode, as a scaffold writes it. In a message of the role `environment`, the text is what a step
 * printed.
 */
export interface Message {
  readonly role: "system" | "user" | "assistant" | "environment";
  readonly content: string;
}

/**
 * The budgets of one rollout. `maxTokens` limits the number of tokens in a whole row: prompt, turns and observations.
 */
export interface RolloutLimits {
  readonly maxTurns: number;
  readonly maxTurnTokens: number;
  readonly maxTokens: number;
}

/** The position of a step in its episode. */
export interface StepPosition {
  /** The number of steps so far, including this one. */
  readonly turn: number;
  /** The number of steps that this episode may have. It may differ between training and evaluation. */
  readonly maxTurns: number;
}

/** Turns an episode into a conversation: it writes the first messages and the observations, and finds the code. */
export interface Scaffold {
  readonly name: string;
  readonly limits: RolloutLimits;
  /** Returns the messages before the first turn. */
  start(task: TaskInfo): readonly Message[];
  /**
   * Returns the message that shows a step's result to the agent, cut to the scaffold's length. `place` is absent when
   * the step is shown on its own, outside an episode.
   */
  observe(task: TaskInfo, result: StepResult, place?: StepPosition): Message;
  /**
   * Returns the code in an agent's message, or an empty string if there is none. An empty string is executed and counts
   * as a turn.
   */
  extractCode(message: string): string;
  /** Returns a message that contains this code, for imitation. Without this method, the message is the code itself. */
  messageOf?(code: string): string;
  /**
   * Returns code cells that do the same as a solution, for a scaffold whose messages cannot express the solution's own
   * code. Demonstrations are then played again with these cells. Without this method, the solution's own cells are
   * used.
   */
  cellsOf?(solution: Demonstration): readonly string[];
}

/**
 * Turns messages into exact token ids. Every segment is encoded only once and then concatenated, so no text is ever
 * encoded again.
 */
export interface Renderer {
  /** Returns the prompt, including the header that precedes the agent's first token. */
  start(messages: readonly Message[]): readonly number[];
  /** Returns an observation and the header of the next turn. */
  next(observation: Message): readonly number[];
  /** The tokens that end a turn of the agent. The one that was sampled counts as part of the action. */
  readonly stopIds: readonly number[];
  /**
   * The tokens that are appended to a turn that ended without a stop token. They are masked, so they are not learned.
   */
  readonly forcedEnd: readonly number[];
  /** Returns the text of a turn's sampled tokens, without the stop token. */
  text(tokens: readonly number[]): string;
  /**
   * Returns the tokens, including a stop token, of a turn of the agent that is given as text. Imitation trains on them.
   */
  turn(text: string): readonly number[];
}

/**
 * Answers in an episode. The kind `tokens` continues exact ids (an engine); `messages` continues text without tokens.
 */
export type Policy =
  | {
      readonly kind: "tokens";
      /** Whether `sample` obeys the `filter` of a request. The default is false. */
      readonly filtersSamples?: boolean;
      sample(request: SampleRequest, signal?: AbortSignal): Promise<Sample>;
      /** Frees the prefix that is kept under this cache key. */
      release(cacheKey: string): void;
    }
  | {
      readonly kind: "messages";
      complete(messages: readonly Message[], task: TaskInfo, signal?: AbortSignal): Promise<string>;
    };

/** A policy that continues exact token ids. */
export type TokenPolicy = Extract<Policy, { kind: "tokens" }>;

/** What a participant sees of a rollout: the task and the turns so far. */
export interface ParticipantView {
  readonly task: TaskInfo;
  readonly turns: readonly Turn[];
}

/**
 * Someone who takes part in a rollout besides the agent: a user, a partner, an opponent or a judge. What a scripted
 * participant says depends only on its view. A participant that a model plays has a policy and a random stream. Every
 * rollout has its own instance.
 */
export interface Participant {
  readonly name: string;
  /**
   * Returns what the participant says after the last turn, or undefined if it says nothing. A judge says a number from
   * 0 to 1. If a judge throws, takes two minutes or says anything else, it is asked again, up to three times a turn.
   */
  speak(view: ParticipantView, signal?: AbortSignal): Promise<string | undefined>;
}
