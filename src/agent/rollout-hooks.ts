/**
 * Where a rollout can be given another shape. There is one loop (`rollout.ts`); between an observation and the agent's
 * next turn it asks a hook what the agent sees, and a hook may let the policy write something that is not run: a plan, a
 * summary, a new state. Without hooks the row only grows.
 */
import type { Message, TaskInfo, Turn, WrittenPart } from "../spec/index.ts";
import type { Transcript } from "./token-transcript.ts";

/** Whether the agent's next turn can come, or why the rollout ends. */
export type Continuation = "go" | "token-limit" | "cancelled";

/** The conversation, as a hook may work on it. */
export interface Conversation {
  readonly task: TaskInfo;
  readonly turns: readonly Turn[];
  readonly signal: AbortSignal | undefined;
  /** Begins a row with this prompt; the agent sees nothing of what was before. False: it does not fit. */
  startRow(messages: readonly Message[]): boolean;
  /** Environment text, behind which the policy's next tokens come. False: it does not fit. */
  append(message: Message): boolean;
  /** Tokens of the present row after hearing this. */
  sizeAfter(message: Message): number;
  /** The policy writes, and it is recorded as a turn. Undefined: cancelled. */
  writePart(part: WrittenPart, trained?: boolean): Promise<string | undefined>;
  /** Adds to the record of the last turn. */
  annotateLastTurn(fields: Pick<Turn, "heard">): void;
}

/** Of one rollout: hooks have state. */
export interface RolloutHooks {
  /** Instead of beginning the first row with the scaffold's messages. */
  beforeFirstTurn?(conversation: Conversation, messages: readonly Message[]): Promise<Continuation>;
  /** Instead of hearing the observation of the last turn. */
  betweenTurns?(conversation: Conversation, observation: Message): Promise<Continuation>;
  /** After the last turn of a rollout that ended by itself or by its budget of turns. */
  afterLastTurn?(conversation: Conversation, observation: Message): Promise<void>;
  /** False: the agent's own turns are no actions, for another role alone is trained. */
  readonly trainsActor?: boolean;
}

/** The conversation of a rollout: what is written in it is recorded in `turns`. */
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
