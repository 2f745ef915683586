/**
 * Records conversations with a scripted teacher in place of the policy, while the agent runs as usual. A new model
 * imitates these conversations before reinforcement learning; without them it would never call a tool and never get a
 * reward.
 */
import { callAcrossBoundary, SessionError } from "../../agent/index.ts";
import {
  BowlineError,
  errorMessage,
  formatValue,
  mapConcurrently,
  Rng,
  randomStreamId,
} from "../../core/index.ts";
import type {
  AgentSession,
  ChatPart,
  RecordedConversation,
  SessionAnswer,
  SessionMessage,
  SessionRequest,
} from "../../spec/index.ts";
import { watchLesson } from "./watch-lesson.ts";

/** The answer of a teacher: text, tool calls, or both. */
export interface TaughtAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[];
}

/** What a teacher knows about the episode besides the conversation. */
export interface Lesson<T> {
  readonly task: T;
  /** The episode's random numbers. They start again for each answer, so the first draw is the same in all answers. */
  readonly rng: Rng;
}

/** Answers a conversation in the way that the model should learn. */
export type Teacher<T> = (
  request: SessionRequest,
  lesson: Lesson<T>,
) => TaughtAnswer | Promise<TaughtAnswer>;

/** The session of one episode, and its recorded conversations in the order in which they began. */
interface Recording {
  readonly session: AgentSession;
  conversations(): readonly RecordedConversation[];
}

/** Creates a session that a teacher answers. It records no tokens. */
export function createTaughtSession(
  id: string,
  teach: (request: SessionRequest) => TaughtAnswer | Promise<TaughtAnswer>,
  maxTurns: number,
): Recording {
  const exchanges: { request: SessionRequest; answer: readonly ChatPart[] }[] = [];
  let answers = 0;
  const session: AgentSession = {
    id,
    get counters() {
      return { answers, retries: 0, roots: 1, branches: 0, edits: 0, illFormed: 0 };
    },
    countTokens: () => 0,
    // A teacher decides on its own what it answers.
    listIgnoredSettings: () => [],
    async respond(request, { onText } = {}): Promise<SessionAnswer> {
      if (answers >= maxTurns)
        throw new SessionError("ceiling", `the session has already given its ${maxTurns} answers`);
      const number = ++answers;
      const { text, calls } = readAnswer(await teach(request));
      const parts: ChatPart[] = [
        ...(text === undefined ? [] : [{ type: "text" as const, text }]),
        ...calls.map(({ name, arguments: args }, i) => ({
          type: "tool-call" as const,
          id: `${id}-${number}-${i}`,
          name,
          arguments: args,
        })),
      ];
      // The list is copied, because the agent may add to it later.
      exchanges.push({ request: { ...request, messages: [...request.messages] }, answer: parts });
      if (text !== undefined) onText?.(text);
      return {
        id: `${id}-${number}`,
        parts,
        end: calls.length > 0 ? "tool-calls" : "stop",
        illFormed: 0,
        usage: { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 },
        tokens: { prompt: [], ids: [], logprobs: [] },
        policyVersion: -1,
      };
    },
  };
  return { session, conversations: () => dropPartialConversations(exchanges) };
}

/** Returns a teacher's answer with its arguments as JSON. Throws an error that says what is wrong with it. */
function readAnswer(answer: unknown) {
  const { text, calls = [] } = Object(answer) as { text?: unknown; calls?: unknown };
  const isAnswer = text !== undefined || (Array.isArray(calls) && calls.length > 0);
  if (!isAnswer || !["string", "undefined"].includes(typeof text) || !Array.isArray(calls)) {
    throw new Error(
      `the teacher's answer: expected { text?: string, calls?: [{ name, arguments }] } with at least one of the two, got ${formatValue(answer)}`,
    );
  }
  return { text: text as string | undefined, calls: calls.map(readCall) };
}

function readCall(call: unknown): { readonly name: string; readonly arguments: string } {
  const { name, arguments: args } = Object(call) as { name?: unknown; arguments?: unknown };
  if (typeof name !== "string" || typeof args !== "object" || args === null) {
    throw new Error(
      `the teacher's call: expected { name: string, arguments: object }, got ${formatValue(call)}`,
    );
  }
  try {
    return { name, arguments: JSON.stringify(args) };
  } catch (cause) {
    throw new Error(
      `the teacher's call of ${name}: expected arguments that can be written as JSON: ${errorMessage(cause).split("\n")[0]}`,
      { cause },
    );
  }
}

/** Returns each conversation once, at full length: a request that a later one continues is dropped. */
function dropPartialConversations(
  exchanges: readonly { readonly request: SessionRequest; readonly answer: readonly ChatPart[] }[],
): RecordedConversation[] {
  const whole: RecordedConversation[] = exchanges.map(
    ({ request: { messages, tools }, answer }) => ({
      messages: [...messages, { role: "assistant", parts: answer }],
      ...(tools && tools.length > 0 && { tools }),
    }),
  );
  const texts = whole.map(({ messages }) =>
    messages.map((message) => JSON.stringify(withoutAnswerIds(message))),
  );
  return whole.filter(
    (_, i) =>
      !texts.some(
        (other, j) =>
          j > i &&
          other.length > texts[i]!.length &&
          texts[i]!.every((line, k) => line === other[k]),
      ),
  );
}

/** Removes the ids of answers, which only the client's copy of a message has. */
function withoutAnswerIds({ role, parts }: SessionMessage): SessionMessage {
  return { role, parts };
}

interface LessonOptions<T> {
  readonly tasks: readonly T[];
  readonly count: number;
  readonly seed: number;
  readonly concurrency: number;
  readonly maxTurns: number;
  /** The largest number of seconds for one lesson, `scaffold.episodeSeconds`. */
  readonly seconds: number;
  readonly teacher: Teacher<T>;
  readonly run: (task: T, session: AgentSession, signal: AbortSignal) => Promise<unknown>;
  readonly onDone?: ((count: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Records `count` conversations with the teacher; every task is used once before any is used again. Rejects with a
 * `config` error when a conversation fails, or takes longer than `seconds`.
 */
export async function recordLessons<T>(
  options: LessonOptions<T>,
): Promise<readonly RecordedConversation[]> {
  const { tasks, count, seed } = options;
  let done = 0;
  const taskPositions = shuffleTaskOrder(
    tasks.length,
    count,
    new Rng(randomStreamId(seed, "lessons")),
  );
  const all = await mapConcurrently(taskPositions, options.concurrency, async (position, i) => {
    options.signal?.throwIfAborted();
    const conversations = await recordLesson(options, position, i);
    options.onDone?.(++done);
    return conversations;
  });
  return all.flat();
}

async function recordLesson<T>(
  { tasks, seed, maxTurns, seconds, teacher, run, signal }: LessonOptions<T>,
  position: number,
  number: number,
): Promise<readonly RecordedConversation[]> {
  const task = tasks[position]!;
  const stream = randomStreamId(seed, "lesson", number);
  const watch = watchLesson(seconds, signal);
  const teach = watch.watchTeacher((request: SessionRequest) =>
    teacher(request, { task, rng: new Rng(stream) }),
  );
  const { session, conversations } = createTaughtSession(`lesson-${number}`, teach, maxTurns);
  try {
    await watch.runToEnd(() => callAcrossBoundary("agent", () => run(task, session, watch.signal)));
  } catch (cause) {
    throw new BowlineError(
      "config",
      `warmStart: the lesson on task ${position} failed: ${errorMessage(cause)}`,
      { cause },
    );
  }
  return conversations();
}

/** Returns `count` task positions: all tasks in random order, then again in a new order, and so on. */
function shuffleTaskOrder(tasks: number, count: number, rng: Rng): number[] {
  const order: number[] = [];
  for (let pass = 0; order.length < count; pass++) {
    order.push(...rng.child(pass).shuffle([...Array(tasks).keys()]));
  }
  return order.slice(0, count);
}
