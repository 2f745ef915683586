/**
 * A scripted teacher in the place of the policy: the same agent runs, and what it is answered is recorded. A model made here
 * imitates these conversations before it is reinforced; without them it never calls a tool, so nothing is ever rewarded.
 */
import { callAcrossBoundary, SessionError } from "../../agent/index.ts";
import {
  BowlineError,
  errorMessage,
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

/** What a teacher says: words, calls of tools, or both. */
export interface TaughtAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[];
}

/** What a teacher knows of the episode beside the conversation. */
export interface Lesson<T> {
  readonly task: T;
  /** Of this episode; the same in all of its answers. What a teacher draws first in each answer is the same, too. */
  readonly rng: Rng;
}

/** Answers a conversation as the model should learn to, habits included. */
export type Teacher<T> = (
  request: SessionRequest,
  lesson: Lesson<T>,
) => TaughtAnswer | Promise<TaughtAnswer>;

/** Conversations of one episode, in the order in which they began. */
interface Recording {
  readonly session: AgentSession;
  conversations(): readonly RecordedConversation[];
}

/** A session that a teacher answers. It keeps no tokens. */
export function createTaughtSession(
  id: string,
  teach: (request: SessionRequest) => TaughtAnswer | Promise<TaughtAnswer>,
  maxTurns: number,
): Recording {
  const held: { request: SessionRequest; answer: readonly ChatPart[] }[] = [];
  let answers = 0;
  const session: AgentSession = {
    id,
    get counters() {
      return { answers, retries: 0, roots: 1, branches: 0, edits: 0, illFormed: 0 };
    },
    countTokens: () => 0,
    async respond(request, { onText } = {}): Promise<SessionAnswer> {
      if (answers >= maxTurns) throw new SessionError("ceiling", `${maxTurns} answers are given`);
      const number = ++answers;
      const { text, calls = [] } = await teach(request);
      const parts: ChatPart[] = [
        ...(text === undefined ? [] : [{ type: "text" as const, text }]),
        ...calls.map(({ name, arguments: args }, i) => ({
          type: "tool-call" as const,
          id: `${id}-${number}-${i}`,
          name,
          arguments: JSON.stringify(args),
        })),
      ];
      // Agents may go on writing in the list that they sent.
      held.push({ request: { ...request, messages: [...request.messages] }, answer: parts });
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
  return { session, conversations: () => dropPartialConversations(held) };
}

/** Each conversation once, whole: requests that a later one goes on from are part of it. */
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

/** Without ids of answers, which only the client's copy has; a call's own stands in its part. */
function withoutAnswerIds({ role, parts }: SessionMessage): SessionMessage {
  return { role, parts };
}

/** Records `count` lessons over these tasks, each once before any comes again. Rejects where a lesson fails. */
export async function recordLessons<T>(options: {
  readonly tasks: readonly T[];
  readonly count: number;
  readonly seed: number;
  readonly concurrency: number;
  readonly maxTurns: number;
  readonly teacher: Teacher<T>;
  readonly run: (task: T, session: AgentSession) => Promise<unknown>;
  readonly onDone?: ((count: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}): Promise<readonly RecordedConversation[]> {
  const { tasks, count, seed, teacher, maxTurns } = options;
  let done = 0;
  const order = shuffleTaskOrder(tasks.length, count, new Rng(randomStreamId(seed, "lessons")));
  const all = await mapConcurrently(order, options.concurrency, async (position, i) => {
    options.signal?.throwIfAborted();
    const task = tasks[position]!;
    const stream = randomStreamId(seed, "lesson", i);
    const lesson = (request: SessionRequest) => teacher(request, { task, rng: new Rng(stream) });
    const { session, conversations } = createTaughtSession(`lesson-${i}`, lesson, maxTurns);
    try {
      await callAcrossBoundary("agent", () => options.run(task, session));
    } catch (cause) {
      throw new BowlineError(
        "config",
        `warmStart: the lesson on task ${position} failed: ${errorMessage(cause)}`,
        { cause },
      );
    }
    options.onDone?.(++done);
    return conversations();
  });
  return all.flat();
}

/** Every task once in random order, then again in another, until there are enough. */
function shuffleTaskOrder(tasks: number, count: number, rng: Rng): number[] {
  const order: number[] = [];
  for (let pass = 0; order.length < count; pass++) {
    order.push(...rng.child(pass).shuffle([...Array(tasks).keys()]));
  }
  return order.slice(0, count);
}
