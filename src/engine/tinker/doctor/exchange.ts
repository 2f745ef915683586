/**
 * Sends requests once and unchecked, and returns a refusal as a value.
 *
 * It bypasses the client's retries and checks, because they would hide a server's behaviour from a probe. A request is
 * sent again only when the server is busy. Futures are awaited with the client's polling.
 */

import { combineSignals, errorMessage } from "../../../core/index.ts";
import { systemClock } from "../client/clock.ts";
import { Credentials } from "../client/credentials.ts";
import { TinkerError } from "../client/errors.ts";
import { retrieveFuture } from "../client/futures.ts";
import { uuidFromText } from "../client/journal.ts";
import type { RetryContext } from "../client/retry.ts";
import { SDK_VERSION } from "../client/session.ts";
import { type HttpAnswer, type HttpRequest, Transport } from "../client/transport.ts";
import type { Outcome } from "../probes/index.ts";
import { clientConfigResponseSchema, untypedFutureSchema } from "../wire/index.ts";

/** Counts what the doctor's requests cost. */
export interface RequestCosts {
  requests: number;
  prefillTokens: number;
  sampledTokens: number;
  trainedTokens: number;
  optimizerSteps: number;
}

export interface ExchangeOptions {
  readonly url: string;
  /** The API key. It is sent in a header and nowhere else. */
  readonly key?: string;
  /** The time limit of one call and its future. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface FutureResult {
  readonly requestId: string;
  /** The answer, in protobuf or JSON as the server chose. */
  readonly answer: HttpAnswer;
}

const BUSY_STATUSES = new Set([425, 429]);
const BUSY_DELAY_MS = 1000;
const FAREWELL_MS = 5000;

export class Exchange {
  readonly costs: RequestCosts = {
    requests: 0,
    prefillTokens: 0,
    sampledTokens: 0,
    trainedTokens: 0,
    optimizerSteps: 0,
  };
  #timeoutMs: number;
  #signal: AbortSignal | undefined;
  readonly #credentials: Credentials;
  readonly #retryContext: RetryContext;

  constructor({ url, key, timeoutMs, signal }: ExchangeOptions) {
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
    this.#credentials = new Credentials(key, systemClock);
    const transport = new Transport(url, { clock: systemClock, keys: this.#credentials });
    this.#retryContext = {
      transport,
      clock: systemClock,
      policy: {
        budgetMs: timeoutMs,
        longestDelayMs: 5000,
        firstContactMs: timeoutMs,
        recoveryMs: timeoutMs,
        billingMs: 0,
      },
      onEvent: () => {},
      renewToken: () => this.#credentials.forgetToken(),
      contact: { hasAnswered: false },
    };
  }

  /**
   * Asks whether the service wants access tokens. If it does, later requests send a token that is fetched with the
   * key.
   */
  async signIn(): Promise<void> {
    const config = await this.post("/client/config", { sdk_version: SDK_VERSION });
    const parsed = clientConfigResponseSchema.safeParse(
      config.ok && parseJsonOrUndefined(config.value),
    );
    if (!parsed.success || !parsed.data.pjwt_auth_enabled) return;
    const request = { path: "/auth/token", body: {}, useRawKey: true, timeoutMs: this.#timeoutMs };
    this.#credentials.useTokens(async () =>
      (await this.#retryContext.transport.send(request)).parseJson(),
    );
  }

  /** Prepares the last requests of a diagnosis: they are sent also after it was stopped, and wait for a short time. */
  beginFarewell(): void {
    if (!this.#signal?.aborted) return;
    this.#signal = undefined;
    this.#timeoutMs = Math.min(this.#timeoutMs, FAREWELL_MS);
  }

  get(path: string): Promise<Outcome<HttpAnswer>> {
    return this.#captureOutcome(() =>
      this.#send({ method: "GET", path, timeoutMs: this.#timeoutMs }),
    );
  }

  sendDelete(path: string): Promise<Outcome<HttpAnswer>> {
    return this.#captureOutcome(() =>
      this.#send({ method: "DELETE", path, timeoutMs: this.#timeoutMs }),
    );
  }

  post(path: string, body: Uint8Array | object): Promise<Outcome<HttpAnswer>> {
    return this.#captureOutcome(() => this.#send({ path, body, timeoutMs: this.#timeoutMs }));
  }

  /**
   * Makes a call whose answer is a future and waits for its result. Calls with the same `callName` share a retry key.
   */
  runFuture(
    path: string,
    body: Uint8Array | object,
    callName?: string,
  ): Promise<Outcome<FutureResult>> {
    const headers = callName === undefined ? {} : { "X-Idempotency-Key": uuidFromText(callName) };
    return this.#captureOutcome(async () => {
      const accepted = await this.#send({ path, body, headers, timeoutMs: this.#timeoutMs });
      const parsed = untypedFutureSchema.safeParse(accepted.parseJson());
      if (!parsed.success)
        throw new TinkerError("malformed", `${path} answered without a request_id`);
      const requestId = parsed.data.request_id;
      return { requestId, answer: await this.#awaitResult(path, requestId) };
    });
  }

  #awaitResult(path: string, requestId: string): Promise<HttpAnswer> {
    const timeLimit = AbortSignal.timeout(this.#timeoutMs);
    const signal = combineSignals(timeLimit, this.#signal);
    this.costs.requests++;
    const options = { protobuf: true, requestType: path.slice(1), signal };
    const limits = { pendingMs: this.#timeoutMs };
    return retrieveFuture(this.#retryContext, requestId, options, limits).catch(
      (error: unknown) => {
        if (!timeLimit.aborted) throw error;
        const seconds = this.#timeoutMs / 1000;
        throw new TinkerError("unreachable", `${path}: no result within ${seconds} s`, {
          requestId,
        });
      },
    );
  }

  async #send(request: HttpRequest): Promise<HttpAnswer> {
    const untilMs = systemClock.now() + this.#timeoutMs;
    for (;;) {
      this.costs.requests++;
      const answer = await this.#retryContext.transport.send({ ...request, signal: this.#signal });
      if (answer.status < 300) return answer;
      if (!BUSY_STATUSES.has(answer.status) || systemClock.now() > untilMs) {
        throw new TinkerError("rejected", answer.errorText(), { status: answer.status });
      }
      await systemClock.sleep(BUSY_DELAY_MS, this.#signal);
    }
  }

  async #captureOutcome<T>(call: () => Promise<T>): Promise<Outcome<T>> {
    const startMs = performance.now();
    try {
      const value = await call();
      return { ok: true, value, ms: performance.now() - startMs };
    } catch (error) {
      if (this.#signal?.aborted) throw new TinkerError("cancelled", "the diagnosis was stopped");
      const { status = 0, requestId } = TinkerError.is(error) ? error : {};
      const accepted = requestId !== undefined;
      return {
        ok: false,
        status,
        message: errorMessage(error),
        accepted,
        ms: performance.now() - startMs,
      };
    }
  }
}

/** Parses an answer's body as JSON. Returns undefined when it is not JSON. */
export function parseJsonOrUndefined(answer: HttpAnswer): unknown {
  try {
    return answer.parseJson();
  } catch {
    return undefined;
  }
}
