/**
 * A client of any service that speaks the Tinker REST protocol: sessions, models to train, samplers.
 *
 *   const client = await createTinkerClient({ baseUrl: "http://127.0.0.1:8000" });
 *   const session = await client.openSession();
 *   const model = await session.createModel({ baseModel: "Qwen/Qwen3-8B", lora: { rank: 32 } });
 *   await model.forwardBackward({ data, lossFn: "cross_entropy" });
 *   await model.optimStep(adam);
 *
 * It uses the HTTP client of Node and nothing else. Clock, fetch and id generator are options, so that tests run fast.
 */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { createConcurrencyLimiter } from "../../../core/index.ts";
import {
  clientConfigResponseSchema,
  type ServerCapabilities,
  serverCapabilitiesSchema,
} from "../wire/index.ts";
import { CLIENT_LIMITS, ClientCore, type ClientLimits, parseAnswer } from "./client-core.ts";
import { type Clock, systemClock } from "./clock.ts";
import { Credentials } from "./credentials.ts";
import type { Deadline } from "./deadline.ts";
import { type Dialect, DialectChooser } from "./dialect.ts";
import { TinkerError } from "./errors.ts";
import type { Fetch } from "./http.ts";
import type { CallJournal } from "./journal.ts";
import { type ClientEvent, RETRY_POLICY, type RetryPolicy } from "./retry.ts";
import { SDK_VERSION, type SessionCounters, type SessionParts, TinkerSession } from "./session.ts";
import { Transport } from "./transport.ts";

/** The server's address, the API key, and the limits and hooks of the client. */
export interface TinkerClientOptions {
  /** The server's URL without `/api/v1`. */
  readonly baseUrl: string;
  /** The key is sent as `X-API-Key`. Most self-hosted servers need none. */
  readonly apiKey?: string | undefined;
  /** The encoding of `forward_backward`. With "auto", the default, the first pass finds out what the server takes. */
  readonly dialect?: Dialect | "auto";
  /** Records accepted calls, so that a restarted program can fetch their results. */
  readonly journal?: CallJournal | undefined;
  /** How many sampling calls may run at once; default 512. */
  readonly maxSamples?: number;
  readonly retry?: Partial<RetryPolicy>;
  readonly limits?: Partial<ClientLimits>;
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
  /** Sends the requests instead of the HTTP client of Node. */
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  /** Returns a new unique id; by default a random UUID. */
  readonly newId?: () => string;
}

const DEFAULT_MAX_SAMPLES = 512;

/** A connection to a Tinker server: opens sessions and downloads or deletes saved weights. */
export class TinkerClient {
  readonly #core: ClientCore;
  readonly #sessionParts: SessionParts;
  readonly #dialect: DialectChooser;
  readonly #openSessions = new Set<TinkerSession>();
  #canRepeat = true;

  constructor(core: ClientCore, session: Omit<SessionParts, "canRepeat" | "core">) {
    this.#core = core;
    this.#dialect = session.dialect;
    this.#sessionParts = { ...session, core, canRepeat: () => this.#canRepeat };
  }

  /** The server's dialect, or undefined until the server has accepted a pass. */
  get dialect(): Dialect | undefined {
    return this.#dialect.chosen;
  }

  /** Call this when the server runs a repeated gradient or step twice: the client then never repeats one in doubt. */
  forbidRepeats(): void {
    this.#canRepeat = false;
  }

  /** Returns the deadline of one operation that gets back what the server has lost. */
  startRecovery(): Deadline {
    return this.#core.startRecovery();
  }

  fetchCapabilities(): Promise<ServerCapabilities> {
    return this.#core.callDirectly(
      "/get_server_capabilities",
      undefined,
      serverCapabilitiesSchema,
      {
        method: "GET",
      },
    );
  }

  async openSession(
    options: Parameters<typeof TinkerSession.open>[1] = {},
  ): Promise<TinkerSession> {
    const session = await TinkerSession.open(this.#sessionParts, options);
    this.#openSessions.add(session);
    return session;
  }

  /** Continues a session that an earlier process opened. Returns undefined when the server no longer has it. */
  async attachSession(id: string, counters: SessionCounters): Promise<TinkerSession | undefined> {
    const session = await TinkerSession.attach(this.#sessionParts, id, counters);
    if (session !== undefined) this.#openSessions.add(session);
    return session;
  }

  /** Deletes weights that `saveWeights` or a named `saveForSampler` wrote; `path` is the path that it returned. */
  async deleteCheckpoint(path: string): Promise<void> {
    const { timeoutMs } = this.#core.limits;
    await this.#core.send({ method: "DELETE", path: checkpointRoute(path), timeoutMs });
  }

  /**
   * Downloads saved weights, usually as a tar archive. The server answers with the archive's URL. Servers differ in
   * which kinds of weights they offer for download.
   */
  async downloadCheckpoint(path: string): Promise<Uint8Array> {
    const { timeoutMs } = this.#core.limits;
    const route = `${checkpointRoute(path)}/archive`;
    const request = { method: "GET", path: route, timeoutMs, expectsRedirect: true } as const;
    const answer = await this.#core.send(request);
    const url = answer.headers.get("location") ?? parseAnswer(route, answer, archiveUrlSchema).url;
    return this.#core.retryContext.transport.download(url, DOWNLOAD_MS);
  }

  /** Stops all heartbeats. Calls that still wait for a result throw a `closed` error. */
  close(): void {
    for (const session of this.#openSessions) session.close();
    this.#core.close();
  }
}

const archiveUrlSchema = z.object({ url: z.string() });
const DOWNLOAD_MS = 30 * 60_000;

function checkpointRoute(path: string): string {
  const [, modelId, kind, name] =
    /^tinker:\/\/([^/]+)\/(weights|sampler_weights)\/([^/]+)$/.exec(path) ?? [];
  if (modelId === undefined) {
    throw new TinkerError(
      "invalid",
      `${path} is not the path of a checkpoint, such as tinker://MODEL/weights/NAME`,
    );
  }
  return `/training_runs/${encodeURIComponent(modelId)}/checkpoints/${kind}/${name}`;
}

/** Connects to a server. Throws `unreachable` when the server does not answer and `denied` when the key is wrong. */
export async function createTinkerClient(options: TinkerClientOptions): Promise<TinkerClient> {
  const { clock = systemClock, onEvent = () => {}, dialect = "auto" } = options;
  const keys = new Credentials(options.apiKey, clock);
  const transport = new Transport(options.baseUrl, { fetch: options.fetch, clock, keys });
  const policy = { ...RETRY_POLICY, ...options.retry };
  const renewToken = () => keys.forgetToken();
  const contact = { hasAnswered: false };
  const parts = { transport, clock, policy, onEvent, renewToken, contact };
  const core = new ClientCore(parts, { ...CLIENT_LIMITS, ...options.limits }, options.journal);
  if (await serverWantsTokens(core)) {
    keys.useTokens(() => core.callDirectly("/auth/token", {}, z.unknown(), { useRawKey: true }));
  }
  return new TinkerClient(core, {
    dialect: new DialectChooser(dialect),
    limiter: createConcurrencyLimiter(options.maxSamples ?? DEFAULT_MAX_SAMPLES),
    newId: options.newId ?? randomUUID,
  });
}

/** Asks `/client/config` whether the server wants access tokens. Older servers lack that route and want none. */
async function serverWantsTokens(core: ClientCore): Promise<boolean> {
  try {
    const body = { sdk_version: SDK_VERSION };
    return (await core.callDirectly("/client/config", body, clientConfigResponseSchema))
      .pjwt_auth_enabled;
  } catch (error) {
    if (TinkerError.is(error, "missing", "unsupported")) return false;
    throw error;
  }
}
