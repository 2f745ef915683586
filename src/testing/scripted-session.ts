/**
 * A session that answers by a script, for tests of agents and of doors without a model. It keeps the contract of
 * `AgentSession`: fresh ids, repetitions answered without a new turn, nothing kept of what was cancelled. Its tokens are
 * the UTF-8 bytes of what was said.
 */
import type {
  AgentSession,
  AnswerOptions,
  ChatPart,
  SessionAnswer,
  SessionCounters,
  SessionRequest,
} from "../spec/index.ts";

/** What the session says: a text, or parts of an answer. */
export type ScriptedAnswer =
  | string
  | {
      readonly reasoning?: string;
      readonly text?: string;
      readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
      /** Default: "tool-calls" where there are calls, else "stop". */
      readonly end?: "stop" | "length";
    };

/** Said by the request, and by how many assistant messages it holds. */
export type SessionScript =
  | readonly ScriptedAnswer[]
  | ((
      request: SessionRequest,
      turn: number,
      signal?: AbortSignal,
    ) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** A scripted session and what was asked of it. */
export interface ScriptedSession extends AgentSession {
  /** Those that were answered, in order; repetitions are not in it. */
  readonly requests: readonly SessionRequest[];
  readonly answers: readonly SessionAnswer[];
}

/** Text is told in pieces of this many characters. */
const PIECE = 4;

/** A list is read by the number of assistant messages that a request holds; behind its end answers are empty. */
export function scriptedSession(script: SessionScript, id = "scripted"): ScriptedSession {
  const requests: SessionRequest[] = [];
  const answers: SessionAnswer[] = [];
  const repeatable = new Map<string, Promise<SessionAnswer>>();
  let retries = 0;
  const say = typeof script === "function" ? script : listed(script);

  const answer = async (request: SessionRequest, options: AnswerOptions) => {
    const { signal, onText } = options;
    const turn = request.messages.filter(({ role }) => role === "assistant").length;
    const said = await say(request, turn, signal);
    const whole = answerOf(said, request, `${id}-a${answers.length}`);
    if (signal?.aborted) return { ...whole, parts: [], end: "cancelled" as const };
    requests.push(request);
    answers.push(whole);
    if (onText) tell(whole.parts, onText);
    return whole;
  };
  return {
    id,
    requests,
    answers,
    async respond(request, options = {}) {
      const { retryKey } = request;
      const known = retryKey === undefined ? undefined : repeatable.get(retryKey);
      if (known) {
        retries++;
        return known;
      }
      const pending = answer(request, options);
      if (retryKey !== undefined) {
        repeatable.set(retryKey, pending);
        const forget = () => repeatable.delete(retryKey);
        pending.then(({ end }) => end === "cancelled" && forget(), forget);
      }
      return pending;
    },
    countTokens: ({ messages, tools }) => bytesOf(JSON.stringify([messages, tools])).length,
    get counters(): SessionCounters {
      return { answers: answers.length, retries, roots: 0, branches: 0, edits: 0, illFormed: 0 };
    },
  };
}

function listed(script: readonly ScriptedAnswer[]) {
  return (_: SessionRequest, turn: number): ScriptedAnswer => script[turn] ?? "";
}

function answerOf(said: ScriptedAnswer, request: SessionRequest, id: string): SessionAnswer {
  const { reasoning, text, calls = [], end } = typeof said === "string" ? { text: said } : said;
  const parts: ChatPart[] = [
    ...(reasoning === undefined ? [] : [{ type: "reasoning" as const, text: reasoning }]),
    ...(text === undefined ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call, i) => ({ type: "tool-call" as const, id: `${id}-c${i}`, ...call })),
  ];
  const ids = bytesOf(JSON.stringify(said));
  const prompt = bytesOf(JSON.stringify(request.messages));
  return {
    id,
    parts,
    end: end ?? (calls.length > 0 ? "tool-calls" : "stop"),
    illFormed: 0,
    usage: {
      promptTokens: prompt.length,
      cachedTokens: 0,
      completionTokens: ids.length,
      reasoningTokens: reasoning === undefined ? 0 : bytesOf(reasoning).length,
    },
    tokens: { prompt, ids, logprobs: ids.map((id) => -id / 256) },
    policyVersion: 0,
  };
}

function tell(parts: readonly ChatPart[], onText: (text: string) => void): void {
  for (const part of parts) {
    if (part.type !== "text") continue;
    for (let at = 0; at < part.text.length; at += PIECE) onText(part.text.slice(at, at + PIECE));
  }
}

function bytesOf(text: string): readonly number[] {
  return [...Buffer.from(text)];
}
