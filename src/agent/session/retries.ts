/**
 * Requests that a client repeats because it got no answer. A repetition adds no turn: it joins the call in flight, or is
 * answered what the first one was. The call goes on as long as one of those who wait for it does.
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

/** Answers that are kept for repetitions. */
const MAX_KEPT_CALLS = 64;

export class RepeatedRequests {
  readonly #calls = new Map<string, PendingCall>();

  /** Whether this request was made before, and its first one has not failed. */
  hasCall(key: string): boolean {
    return this.#live(key) !== undefined;
  }

  /** `gone`: what is said to a caller who does not wait any longer while others do. */
  answerOnce(
    key: string,
    work: AnswerRequest,
    options: AnswerOptions,
    cancelledAnswer: SessionAnswer,
  ): Promise<SessionAnswer> {
    const call = this.#live(key) ?? this.#begin(key, work, options);
    return joinCall(call, options, cancelledAnswer);
  }

  /** A call that all who waited for it have left is as good as over. */
  #live(key: string): PendingCall | undefined {
    const call = this.#calls.get(key);
    return call?.controller.signal.aborted ? undefined : call;
  }

  #begin(key: string, work: AnswerRequest, { onText }: AnswerOptions): PendingCall {
    const controller = new AbortController();
    const listeners = new Set<(text: string) => void>();
    const tell = (text: string) => {
      call.earlierText += text;
      for (const listener of listeners) listener(text);
    };
    const forget = () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key);
    };
    const answer = work({ signal: controller.signal, ...(onText && { onText: tell }) }).then(
      (answered) => {
        if (answered.end === "cancelled") forget();
        const rest = joinAnswerText(answered).slice(call.earlierText.length);
        if (rest !== "") tell(rest);
        return answered;
      },
      (error: unknown) => {
        forget();
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
    const leave = () => {
      if (onText) call.listeners.delete(onText);
      call.waiting -= 1;
      if (call.waiting === 0) call.controller.abort();
      else resolve(cancelledAnswer);
    };
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true });
    call.answer.then(resolve, reject).finally(() => signal?.removeEventListener("abort", leave));
  });
}
