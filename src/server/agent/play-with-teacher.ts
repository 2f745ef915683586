/** Plays one task with a teacher in place of the model: a test of an agent, a reward and a teacher before training. */
import { Rng, randomStreamId } from "../../core/index.ts";
import type { AgentSession, RecordedConversation } from "../../spec/index.ts";
import { type AgentConnections, createContext, openAgentConnections } from "./agent-connections.ts";
import type { RunAgent } from "./options.ts";
import { toEvaluation } from "./reward.ts";
import { createTaughtSession, type Teacher } from "./teacher.ts";

/** The task, the agent's function and the teacher, as `trainAgent` gets them. */
export interface TaughtPlay<T> {
  readonly task: T;
  readonly run: RunAgent<T>;
  readonly teacher: Teacher<T>;
  /** The seed of the teacher's random numbers; 0 by default. */
  readonly seed?: number;
  /** The most answers of the teacher; 40 by default. */
  readonly maxTurns?: number;
  readonly signal?: AbortSignal;
}

/** The reward of a task that a teacher played, and what was said. */
export interface TaughtResult {
  readonly reward: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly conversations: readonly RecordedConversation[];
}

/** Plays the task. Rejects when `run` or the teacher throws, or when there is no reward. */
export async function playWithTeacher<T>(play: TaughtPlay<T>): Promise<TaughtResult> {
  const { task, teacher, seed = 0, maxTurns = 40 } = play;
  const stream = randomStreamId(seed, "lesson");
  const { session, conversations } = createTaughtSession(
    "lesson",
    (request) => teacher(request, { task, rng: new Rng(stream) }),
    maxTurns,
  );
  const connections = await openAgentConnections();
  try {
    const { reward = 0, metrics = {} } = await runOnce(play, session, connections);
    return { reward, metrics, conversations: conversations() };
  } finally {
    await connections.close();
  }
}

async function runOnce<T>(
  { task, run, signal = new AbortController().signal }: TaughtPlay<T>,
  session: AgentSession,
  connections: AgentConnections,
) {
  const connection = connections.open(session);
  try {
    const result = await run(task, createContext(connection, session, signal));
    return toEvaluation(result ?? connection.postedReward());
  } finally {
    connection.close();
  }
}
