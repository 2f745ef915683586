/**
 * Hooks give a rollout another shape. There is only one loop (`rollout.ts`). Between an observation and the agent's
 * next turn, it asks a hook what the agent sees. A hook may also let the policy write something that is not run as
 * code: a plan, a summary or a new state. Without hooks, the row only grows.
 */
import type { Message, TaskInfo, Turn, WrittenPart } from "../spec/index.ts";
import type { Transcript } from "./transcript.ts";

/** `go` means that the agent's next turn follows. The other values say why the rollout ends. */
export type Continuation = "go" | "token-limit" | "cancelled";

/** This is what a hook may do with the conversation of a rollout. */
export interface Conversation {
  readonly task: TaskInfo;
  readonly turns: readonly Turn[];
  readonly signal: AbortSignal | undefined;
  /**
   * Begins a row with this prompt; the agent no longer sees what came before. Returns false when the prompt does not
   * fit.
   */
  startRow(messages: readonly Message[]): boolean;
  /** Appends environment text, which the policy continues. Returns false when the text does not fit. */
  append(message: Message): boolean;
  /** Returns the number of tokens that the current row would have with this message appended. */
  sizeAfter(message: Message): number;
  /** Lets the policy write a text and records it as a turn. Returns undefined when the rollout was cancelled. */
  writePart(part: WrittenPart, trained?: boolean): Promise<string | undefined>;
  /** Adds fields to the record of the last turn. */
  annotateLastTurn(fields: Pick<Turn, "heard">): void;
}

/** These are the hooks of one rollout. Hooks have state, so every rollout needs its own. */
export interface RolloutHooks {
  /**
   * Runs in place of the default start, which begins a row with the scaffold's messages: at the beginning of the
   * rollout, and of each later session of its task.
   */
  beforeFirstTurn?(conversation: Conversation, messages: readonly Message[]): Promise<Continuation>;
  /** Runs in place of the default between two turns, which appends the last observation to the row. */
  betweenTurns?(conversation: Conversation, observation: Message): Promise<Continuation>;
  /** Runs after the last turn of a rollout that finished or used up its turns. */
  afterLastTurn?(conversation: Conversation, observation: Message): Promise<void>;
  /** When this is false, the agent's own turns are not trained, because only another role is. */
  readonly trainsThisTurn?: boolean;
}

/** Creates the conversation that hooks work on. What the policy writes in it is recorded in `turns`. */
export function createConversation(
  { task, signal }: Pick<Conversation, "task" | "signal">,
  transcript: Transcript,
  turns: Turn[],
  onTurn?: (turn: Turn, decodeSteps: number) => void,
): Conversation {
  return {
    task,
    turns,
    signal,
    startRow: (messages) => transcript.startRow(messages),
    append: (message) => transcript.appendObservation(message),
    sizeAfter: (message) => transcript.sizeAfter(message),
    async writePart(part, trained) {
      const sampled = signal?.aborted ? undefined : await transcript.sampleTurn(signal, trained);
      if (!sampled) return undefined;
      const { message, ...place } = sampled;
      const nothingRan = { code: "", observation: "", status: "ok" as const, calls: [] };
      const turn: Turn = { message, ...nothingRan, ...place, part };
      turns.push(turn);
      onTurn?.(turn, transcript.decodeSteps);
      return message;
    },
    annotateLastTurn: (fields) => void turns.push({ ...turns.pop()!, ...fields }),
  };
}
