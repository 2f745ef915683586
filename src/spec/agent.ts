/**
 * The agent half of the domain: how an episode becomes a prompt, a message becomes code, and what can answer.
 *
 * A Scaffold speaks in messages; a Renderer turns messages into tokens. A token policy continues exact token
 * ids; a message policy (a hosted model, a scripted fake) continues messages and has no tokens.
 */
import type { Sample, SampleRequest } from "./engine.ts";
import type { Turn } from "./rollout.ts";
import type { Demonstration, StepResult, TaskInfo } from "./world.ts";

/** One message of an episode as a scaffold writes it; `environment` is what a step showed. */
export interface Message {
  readonly role: "system" | "user" | "assistant" | "environment";
  readonly content: string;
}

/** Budgets of one rollout. Tokens count the whole row: prompt, turns and observations. */
export interface RolloutLimits {
  readonly maxTurns: number;
  readonly maxTurnTokens: number;
  readonly maxTokens: number;
}

/** Where in an episode a step was. */
export interface StepPosition {
  /** Steps so far, this one included. */
  readonly turn: number;
  /** Steps that this episode may have; training and evaluation may differ. */
  readonly maxTurns: number;
}

/** How an episode becomes a conversation: what the agent sees first, what it sees of a step, where its code stands. */
export interface Scaffold {
  readonly name: string;
  readonly limits: RolloutLimits;
  /** The messages before the first turn. */
  start(task: TaskInfo): readonly Message[];
  /**
   * The message that shows a step's outcome to the agent, already cut to the scaffold's length. `place` is known wherever an
   * episode is played or imitated; absent where a step is looked at by itself.
   */
  observe(task: TaskInfo, result: StepResult, place?: StepPosition): Message;
  /** The code in an agent message; an empty string when there is none (it is executed and counted). */
  extractCode(message: string): string;
  /** A message whose code this is: what imitation writes. Absent: the code itself. */
  messageOf?(code: string): string;
  /**
   * The cells that do what a solution did, where the scaffold's messages cannot say its code: then demonstrations are played
   * again by these. Absent: the solution's own.
   */
  cellsOf?(solution: Demonstration): readonly string[];
}

/** Messages to exact token ids. Nothing is ever re-tokenised: segments are encoded once and concatenated. */
export interface Renderer {
  /** The prompt up to and including the header after which the agent's first token comes. */
  start(messages: readonly Message[]): readonly number[];
  /** An observation plus the header of the next turn. */
  next(observation: Message): readonly number[];
  /** Tokens that end an agent turn; the sampled one belongs to the action. */
  readonly stopIds: readonly number[];
  /** Appended, masked out, when a turn ended without a stop token. */
  readonly forcedEnd: readonly number[];
  /** The text of a turn's sampled tokens, without the stop token. */
  text(tokens: readonly number[]): string;
  /** The tokens of an agent turn given as text, with its stop token: what imitation trains on. */
  turn(text: string): readonly number[];
}

/**
 * What answers in an episode: `tokens` continues exact ids (an engine), `messages` continues text and has no tokens.
 */
export type Policy =
  | {
      readonly kind: "tokens";
      sample(request: SampleRequest, signal?: AbortSignal): Promise<Sample>;
      /** The prefix kept under this key is no longer needed. */
      release(cacheKey: string): void;
    }
  | {
      readonly kind: "messages";
      complete(messages: readonly Message[], task: TaskInfo, signal?: AbortSignal): Promise<string>;
    };

/** A policy of exact token ids. */
export type TokenPolicy = Extract<Policy, { kind: "tokens" }>;

/** A rollout up to its last turn, as others who take part in it see it. */
export interface ParticipantView {
  readonly task: TaskInfo;
  readonly turns: readonly Turn[];
}

/**
 * Whoever takes part in a rollout beside the agent: a user, a partner, an opponent, a judge. A scripted one is a function
 * of the scene alone; one that a model plays is made with its policy and its random stream. One instance a rollout.
 */
export interface Participant {
  readonly name: string;
  /**
   * What it says after the last turn; undefined: nothing. A judge says a number from 0 to 1; where that throws, takes two
   * minutes or is no such number, it is asked for the same turn again, up to three times.
   */
  speak(scene: ParticipantView, signal?: AbortSignal): Promise<string | undefined>;
}
