/** The session that runs in a rollout. Most tasks have one; `task-sessions.ts` says what happens in those with more. */
import type { Message, Scaffold, TaskInfo, Turn } from "../spec/index.ts";
import { continueIfFits } from "./context.ts";
import {
  type Continuation,
  type Conversation,
  createConversation,
  type RolloutHooks,
} from "./rollout-hooks.ts";
import type { Transcript } from "./transcript.ts";

/** The options of a rollout that a session needs; see `RolloutOptions`. */
interface SessionOptions {
  readonly scaffold: Scaffold;
  readonly signal?: AbortSignal;
  readonly onTurn?: (turn: Turn, decodeSteps: number) => void;
  readonly hooks?: RolloutHooks;
}

/** A conversation about a task. Most tasks have one; the agent sees nothing of those before. */
export interface RunningSession {
  /** The task, with the instruction of this session. */
  readonly task: TaskInfo;
  readonly conversation: Conversation | undefined;
  readonly continuation: Continuation;
}

/** Begins a row with the scaffold's messages for this task. */
export async function startSession(
  { scaffold, signal, onTurn, hooks }: SessionOptions,
  transcript: Transcript,
  turns: Turn[],
  task: TaskInfo,
): Promise<RunningSession> {
  const conversation = hooks && createConversation({ task, signal }, transcript, turns, onTurn);
  const messages = scaffold.start(task);
  const continuation =
    conversation && hooks.beforeFirstTurn
      ? await hooks.beforeFirstTurn(conversation, messages)
      : continueIfFits(transcript.startRow(messages));
  return { task, conversation, continuation };
}

/** Shows the agent the observation of its last turn. */
export async function continueSession(
  { hooks }: SessionOptions,
  transcript: Transcript,
  { conversation }: RunningSession,
  observation: Message,
): Promise<Continuation> {
  return conversation && hooks?.betweenTurns
    ? hooks.betweenTurns(conversation, observation)
    : continueIfFits(transcript.appendObservation(observation));
}
