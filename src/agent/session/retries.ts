/**
 * Handles requests that a client repeats because it got no answer. A repeated request adds no turn. It joins the
 * running call, or gets the answer of the first request. A call continues as long as at least one caller waits for it.
 */
import type { AnswerOptions, SessionAnswer } from "../../spec/index.ts";
import { joinAnswerText } from "./session-answer.ts";

interface PendingCall {
  readonly answer: Promise<SessionAnswer>;
  readonly controller: AbortController;
  readonly listeners: Set<(text: string) => void>;
  waiting: number;
  earlierText: string;
}

type AnswerRequest = (options: AnswerOptions) => Promise<SessionAnswer>;

/** The number of answered calls that are kept for repeated requests. */
const MAX_KEPT_CALLS = 64;

export class RepeatedRequests {
  readonly #calls = new Map<string, PendingCall>();

  /** Tells whether this request was made before and has not failed. */
  hasCall(key: string): boolean {
    return this.#findLiveCall(key) !== undefined;
  }

  /**
   * Answers a request, once for all its repetitions. `cancelledAnswer` goes to a caller who stops waiting while others
   * wait.
   */
  answerOnce(
    key: string,
    answerRequest: AnswerRequest,
    options: AnswerOptions,
    cancelledAnswer: SessionAnswer,
  ): Promise<SessionAnswer> {
    const call = this.#findLiveCall(key) ?? this.#startCall(key, answerRequest, options);
    return joinCall(call, options, cancelledAnswer);
  }

  /** Returns the call of a request, unless all its callers have left, which ends the call. */
  #findLiveCall(key: string): PendingCall | undefined {
    const call = this.#calls.get(key);
    return call?.controller.signal.aborted ? undefined : call;
  }

  #startCall(
    key: string,
    answerRequest: AnswerRequest,
    { onText, onStart }: AnswerOptions,
  ): PendingCall {
    const controller = new AbortController();
    const listeners = new Set<(text: string) => void>();
    const streamText = (text: string) => {
      call.earlierText += text;
      for (const listener of listeners) listener(text);
    };
    const forgetCall = () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key);
    };
    const answer = answerRequest({
      signal: controller.signal,
      ...(onText && { onText: streamText }),
      ...(onStart && { onStart }),
    }).then(
      (answered) => {
        if (answered.end === "cancelled") forgetCall();
        const rest = joinAnswerText(answered).slice(call.earlierText.length);
        if (rest !== "") streamText(rest);
        return answered;
      },
      (error: unknown) => {
        forgetCall();
        throw error;
      },
    );
    const call: PendingCall = { answer, controller, listeners, waiting: 0, earlierText: "" };
    this.#calls.set(key, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MAX_KEPT_CALLS && oldest !== undefined) this.#calls.delete(oldest);
    return call;
  }
}

function joinCall(
  call: PendingCall,
  { signal, onText }: AnswerOptions,
  cancelledAnswer: SessionAnswer,
): Promise<SessionAnswer> {
  if (onText) {
    if (call.earlierText !== "") onText(call.earlierText);
    call.listeners.add(onText);
  }
  call.waiting += 1;
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      if (onText) call.listeners.delete(onText);
      call.waiting -= 1;
      if (call.waiting === 0) call.controller.abort();
      else resolve(cancelledAnswer);
    };
    if (signal?.aborted) stopWaiting();
    else signal?.addEventListener("abort", stopWaiting, { once: true });
    call.answer
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener("abort", stopWaiting));
  });
}
