/**
 * Where a rollout can be given another shape. There is one loop (`rollout.ts`); between an observation and the agent's
 * next turn it asks a hook what the agent sees, and a hook may let the policy write something that is not run: a plan, a
 * summary, a new state. Without hooks the row only grows.
 */
import type { Message, TaskInfo, Turn, WrittenPart } from "../spec/index.ts";
import type { Dialogue } from "./dialogue.ts";

/** Whether the agent's next turn can come, or why the rollout ends. */
export type Pause = "go" | "token-limit" | "cancelled";

/** The conversation, as a hook may work on it. */
export interface Conversation {
  readonly task: TaskInfo;
  readonly turns: readonly Turn[];
  readonly signal: AbortSignal | undefined;
  /** Begins a row with this prompt; the agent sees nothing of what was before. False: it does not fit. */
  start(messages: readonly Message[]): boolean;
  /** Environment text, behind which the policy's next tokens come. False: it does not fit. */
  hear(message: Message): boolean;
  /** Tokens of the present row after hearing this. */
  sizeWith(message: Message): number;
  /** The policy writes, and it is recorded as a turn. Undefined: cancelled. */
  write(part: WrittenPart, trained?: boolean): Promise<string | undefined>;
  /** Adds to the record of the last turn. */
  annotate(fields: Pick<Turn, "heard">): void;
}

/** Of one rollout: hooks have state. */
export interface RolloutHooks {
  /** Instead of beginning the first row with the scaffold's messages. */
  open?(conversation: Conversation, messages: readonly Message[]): Promise<Pause>;
  /** Instead of hearing the observation of the last turn. */
  between?(conversation: Conversation, observation: Message): Promise<Pause>;
  /** After the last turn of a rollout that ended by itself or by its budget of turns. */
  close?(conversation: Conversation, observation: Message): Promise<void>;
  /** False: the agent's own turns are no actions, for another role alone is trained. */
  readonly trainsActor?: boolean;
}

/** The conversation of a rollout: what is written in it is recorded in `turns`. */
export function conversationOf(
  { task, signal }: Pick<Conversation, "task" | "signal">,
  dialogue: Dialogue,
  turns: Turn[],
  onTurn?: (turn: Turn, decodeSteps: number) => void,
): Conversation {
  return {
    task,
    turns,
    signal,
    start: (messages) => dialogue.start(messages),
    hear: (message) => dialogue.hear(message),
    sizeWith: (message) => dialogue.sizeWith(message),
    async write(part, trained) {
      const utterance = signal?.aborted ? undefined : await dialogue.speak(signal, trained);
      if (!utterance) return undefined;
      const { message, ...where } = utterance;
      const nothingRan = { code: "", observation: "", status: "ok" as const, calls: [] };
      const turn: Turn = { message, ...nothingRan, ...where, part };
      turns.push(turn);
      onTurn?.(turn, dialogue.steps);
      return message;
    },
    annotate: (fields) => void turns.push({ ...turns.pop()!, ...fields }),
  };
}
