/**
 * A session that follows a script, for tests of agents and gateways without a model. It keeps the contract of
 * `AgentSession`: ids are new, a repeated request gets the same answer without a new turn, and nothing of a cancelled
 * answer is kept. Its tokens are UTF-8 bytes.
 */
import type {
  AgentSession,
  AnswerOptions,
  ChatPart,
  SessionAnswer,
  SessionCounters,
  SessionRequest,
} from "../spec/index.ts";

/** An answer in a script: a text, or the parts of an answer. */
export type ScriptedAnswer =
  | string
  | {
      readonly reasoning?: string;
      readonly text?: string;
      readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
      /** Why the answer ends. The default is "tool-calls" if there are calls, otherwise "stop". */
      readonly end?: "stop" | "length";
      /** The stop text that ended the answer. */
      readonly stopText?: string;
    };

/** A list of answers, or a function of the request. `turn` is the number of assistant messages in the request. */
export type SessionScript =
  | readonly ScriptedAnswer[]
  | ((
      request: SessionRequest,
      turn: number,
      signal?: AbortSignal,
    ) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** A scripted session with its requests and answers. */
export interface ScriptedSession extends AgentSession {
  /** The requests that were answered, in order, without repetitions. */
  readonly requests: readonly SessionRequest[];
  readonly answers: readonly SessionAnswer[];
}

/** The number of characters in a streamed piece of text. */
const PIECE_CHARACTERS = 4;

/**
 * Returns a session that follows a script. From a list, a request with n assistant messages gets answer n, counted from
 * 0, and an empty answer after the end of the list.
 */
export function scriptedSession(script: SessionScript, id = "scripted"): ScriptedSession {
  const requests: SessionRequest[] = [];
  const answers: SessionAnswer[] = [];
  const answersByRetryKey = new Map<string, Promise<SessionAnswer>>();
  let retries = 0;
  const getNextAnswer = typeof script === "function" ? script : scriptFromList(script);

  const answerRequest = async (request: SessionRequest, options: AnswerOptions) => {
    const { signal, onText, onStart } = options;
    const turn = request.messages.filter(({ role }) => role === "assistant").length;
    const scripted = await getNextAnswer(request, turn, signal);
    const fullAnswer = createAnswer(scripted, request, `${id}-a${answers.length}`);
    if (signal?.aborted) return { ...fullAnswer, parts: [], end: "cancelled" as const };
    requests.push(request);
    answers.push(fullAnswer);
    onStart?.(fullAnswer.usage);
    if (onText) streamText(fullAnswer.parts, onText);
    return fullAnswer;
  };
  return {
    id,
    requests,
    answers,
    async respond(request, options = {}) {
      const { retryKey } = request;
      const earlierAnswer = retryKey === undefined ? undefined : answersByRetryKey.get(retryKey);
      if (earlierAnswer) {
        retries++;
        return earlierAnswer;
      }
      const pending = answerRequest(request, options);
      if (retryKey !== undefined) {
        answersByRetryKey.set(retryKey, pending);
        const forget = () => answersByRetryKey.delete(retryKey);
        pending.then(({ end }) => end === "cancelled" && forget(), forget);
      }
      return pending;
    },
    // A script decides on its own what it answers.
    listIgnoredSettings: () => [],
    countTokens: ({ messages, tools }) => utf8Bytes(JSON.stringify([messages, tools])).length,
    get counters(): SessionCounters {
      return { answers: answers.length, retries, roots: 0, branches: 0, edits: 0, illFormed: 0 };
    },
  };
}

function scriptFromList(script: readonly ScriptedAnswer[]) {
  return (_: SessionRequest, turn: number): ScriptedAnswer => script[turn] ?? "";
}

function createAnswer(
  scripted: ScriptedAnswer,
  request: SessionRequest,
  id: string,
): SessionAnswer {
  const {
    reasoning,
    text,
    calls = [],
    end,
    stopText,
  } = typeof scripted === "string" ? { text: scripted } : scripted;
  const parts: ChatPart[] = [
    ...(reasoning === undefined ? [] : [{ type: "reasoning" as const, text: reasoning }]),
    ...(text === undefined ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call, i) => ({ type: "tool-call" as const, id: `${id}-c${i}`, ...call })),
  ];
  const ids = utf8Bytes(JSON.stringify(scripted));
  const prompt = utf8Bytes(JSON.stringify(request.messages));
  return {
    id,
    parts,
    end: end ?? (calls.length > 0 ? "tool-calls" : "stop"),
    ...(stopText !== undefined && { stopText }),
    illFormed: 0,
    usage: {
      promptTokens: prompt.length,
      cachedTokens: 0,
      completionTokens: ids.length,
      reasoningTokens: reasoning === undefined ? 0 : utf8Bytes(reasoning).length,
    },
    tokens: { prompt, ids, logprobs: ids.map((id) => -id / 256) },
    policyVersion: 0,
  };
}

function streamText(parts: readonly ChatPart[], onText: (text: string) => void): void {
  for (const part of parts) {
    if (part.type !== "text") continue;
    for (let at = 0; at < part.text.length; at += PIECE_CHARACTERS)
      onText(part.text.slice(at, at + PIECE_CHARACTERS));
  }
}

function utf8Bytes(text: string): readonly number[] {
  return [...Buffer.from(text)];
}
