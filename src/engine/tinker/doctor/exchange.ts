/**
 * Requests as they are: sent once, unchecked, a refusal given back as a value.
 *
 * Below the client's retries and checks, because repairing is exactly what would hide a server's behaviour from a probe.
 * Only a server that is busy is asked again, and a future is awaited by the client's own polling.
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

/** Every number of the doctor's bill. */
export interface Bill {
  requests: number;
  prefillTokens: number;
  sampledTokens: number;
  trainedTokens: number;
  optimizerSteps: number;
}

export interface ExchangeOptions {
  readonly url: string;
  /** Sent in a header, and nowhere else. */
  readonly key?: string;
  /** For one call and its future. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Done {
  readonly requestId: string;
  /** Protobuf where the server chose it, JSON otherwise. */
  readonly answer: HttpAnswer;
}

const BUSY = new Set([425, 429]);
const BUSY_MS = 1000;

export class Exchange {
  readonly bill: Bill = {
    requests: 0,
    prefillTokens: 0,
    sampledTokens: 0,
    trainedTokens: 0,
    optimizerSteps: 0,
  };
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #keys: Credentials;
  readonly #polling: RetryContext;

  constructor({ url, key, timeoutMs, signal }: ExchangeOptions) {
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
    this.#keys = new Credentials(key, systemClock);
    const transport = new Transport(url, { fetch, clock: systemClock, keys: this.#keys });
    this.#polling = {
      transport,
      clock: systemClock,
      policy: { budgetMs: timeoutMs, longestDelayMs: 5000, billingMs: 0 },
      onEvent: () => {},
      renewToken: () => this.#keys.forgetToken(),
    };
  }

  /** Some services want the key exchanged for a token first; they say so here. */
  async signIn(): Promise<void> {
    const config = await this.post("/client/config", { sdk_version: SDK_VERSION });
    const parsed = clientConfigResponseSchema.safeParse(config.ok && jsonOf(config.value));
    if (!parsed.success || !parsed.data.pjwt_auth_enabled) return;
    const request = { path: "/auth/token", body: {}, useRawKey: true, timeoutMs: this.#timeoutMs };
    this.#keys.useTokens(async () => (await this.#polling.transport.send(request)).parseJson());
  }

  get(path: string): Promise<Outcome<HttpAnswer>> {
    return this.#attempt(() => this.#send({ method: "GET", path, timeoutMs: this.#timeoutMs }));
  }

  remove(path: string): Promise<Outcome<HttpAnswer>> {
    return this.#attempt(() => this.#send({ method: "DELETE", path, timeoutMs: this.#timeoutMs }));
  }

  post(path: string, body: Uint8Array | object): Promise<Outcome<HttpAnswer>> {
    return this.#attempt(() => this.#send({ path, body, timeoutMs: this.#timeoutMs }));
  }

  /** A call whose answer is a future, and the future's result. Calls of one `name` are the same call, sent again. */
  run(path: string, body: Uint8Array | object, name?: string): Promise<Outcome<Done>> {
    const headers = name === undefined ? {} : { "X-Idempotency-Key": uuidFromText(name) };
    return this.#attempt(async () => {
      const asked = await this.#send({ path, body, headers, timeoutMs: this.#timeoutMs });
      const parsed = untypedFutureSchema.safeParse(asked.parseJson());
      if (!parsed.success) throw new TinkerError("malformed", `${path} gave no request_id`);
      const requestId = parsed.data.request_id;
      return { requestId, answer: await this.#await(path, requestId) };
    });
  }

  #await(path: string, requestId: string): Promise<HttpAnswer> {
    const late = AbortSignal.timeout(this.#timeoutMs);
    const signal = combineSignals(late, this.#signal);
    this.bill.requests++;
    const options = { protobuf: true, requestType: path.slice(1), signal };
    const limits = { pendingMs: this.#timeoutMs };
    return retrieveFuture(this.#polling, requestId, options, limits).catch((error: unknown) => {
      if (!late.aborted) throw error;
      const seconds = this.#timeoutMs / 1000;
      throw new TinkerError("unreachable", `${path}: no result within ${seconds} s`, { requestId });
    });
  }

  async #send(request: HttpRequest): Promise<HttpAnswer> {
    const untilMs = systemClock.now() + this.#timeoutMs;
    for (;;) {
      this.bill.requests++;
      const answer = await this.#polling.transport.send({ ...request, signal: this.#signal });
      if (answer.status < 300) return answer;
      if (!BUSY.has(answer.status) || systemClock.now() > untilMs) {
        throw new TinkerError("rejected", answer.errorText(), { status: answer.status });
      }
      await systemClock.sleep(BUSY_MS, this.#signal);
    }
  }

  async #attempt<T>(call: () => Promise<T>): Promise<Outcome<T>> {
    const from = performance.now();
    try {
      const value = await call();
      return { ok: true, value, ms: performance.now() - from };
    } catch (error) {
      if (this.#signal?.aborted) throw new TinkerError("cancelled", "the examination was stopped");
      const { status = 0, requestId } = TinkerError.is(error) ? error : {};
      const accepted = requestId !== undefined;
      return {
        ok: false,
        status,
        message: errorMessage(error),
        accepted,
        ms: performance.now() - from,
      };
    }
  }
}

/** Undefined where the answer is no JSON. */
export function jsonOf(answer: HttpAnswer): unknown {
  try {
    return answer.parseJson();
  } catch {
    return undefined;
  }
}
