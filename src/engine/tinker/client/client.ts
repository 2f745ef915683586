/**
 * A client of any service that speaks the Tinker REST protocol: sessions, models to train, samplers.
 *
 *   const client = await createTinkerClient({ baseUrl: "http://127.0.0.1:8000" });
 *   const session = await client.openSession();
 *   const model = await session.createModel({ baseModel: "Qwen/Qwen3-8B", lora: { rank: 32 } });
 *   await model.forwardBackward({ data, lossFn: "cross_entropy" });
 *   await model.optimStep(adam);
 *
 * It uses the platform's fetch and nothing else. Time, fetch and ids can be given, so that tests take milliseconds.
 */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { gate } from "../../../core/index.ts";
import {
  clientConfigResponseSchema,
  type ServerCapabilities,
  serverCapabilitiesSchema,
} from "../wire/index.ts";
import { Keys } from "./auth.ts";
import { type Clock, systemClock } from "./clock.ts";
import { CLIENT_LIMITS, ClientCore, type ClientLimits, parseAnswer } from "./core.ts";
import { type Dialect, DialectChooser } from "./dialect.ts";
import { TinkerError } from "./errors.ts";
import type { CallJournal } from "./journal.ts";
import { type ClientEvent, RETRY_POLICY, type RetryPolicy } from "./retry.ts";
import { SDK_VERSION, type SessionCounters, type SessionParts, TinkerSession } from "./session.ts";
import { type Fetch, Transport } from "./transport.ts";

/** Where the server is, and how patiently it is spoken to. */
export interface TinkerClientOptions {
  /** Without `/api/v1`. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key`; self-hosted servers mostly want none. */
  readonly apiKey?: string | undefined;
  /** Of `forward_backward`. Default "auto": found out by the first pass. */
  readonly dialect?: Dialect | "auto";
  /** Where accepted calls are recorded, so that a program that was killed finds their results. */
  readonly journal?: CallJournal | undefined;
  /** Samples under way at once; default 512. */
  readonly maxSamples?: number;
  readonly retry?: Partial<RetryPolicy>;
  readonly limits?: Partial<ClientLimits>;
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  /** A new id each time; default random UUIDs. */
  readonly newId?: () => string;
}

const DEFAULT_MAX_SAMPLES = 512;

/** A server of the Tinker protocol, spoken to: its sessions, models and saved weights. */
export class TinkerClient {
  readonly #core: ClientCore;
  readonly #session: SessionParts;
  readonly #dialect: DialectChooser;
  readonly #open = new Set<TinkerSession>();
  #repeatable = true;

  constructor(core: ClientCore, session: Omit<SessionParts, "repeatable" | "core">) {
    this.#core = core;
    this.#dialect = session.dialect;
    this.#session = { ...session, core, repeatable: () => this.#repeatable };
  }

  /** Undefined until a pass was accepted. */
  get dialect(): Dialect | undefined {
    return this.#dialect.known;
  }

  /** Tells that the server runs a repeated gradient or step twice, so that neither is ever sent again in doubt. */
  doNotRepeat(): void {
    this.#repeatable = false;
  }

  capabilities(): Promise<ServerCapabilities> {
    return this.#core.call("/get_server_capabilities", undefined, serverCapabilitiesSchema, {
      method: "GET",
    });
  }

  async openSession(
    options: Parameters<typeof TinkerSession.open>[1] = {},
  ): Promise<TinkerSession> {
    const session = await TinkerSession.open(this.#session, options);
    this.#open.add(session);
    return session;
  }

  /** A session of an earlier program. Undefined: the server no longer has it. */
  async attachSession(id: string, counters: SessionCounters): Promise<TinkerSession | undefined> {
    const session = await TinkerSession.attach(this.#session, id, counters);
    if (session !== undefined) this.#open.add(session);
    return session;
  }

  /** Deletes what `saveWeights` or a named `saveForSampler` wrote, by its path. */
  async deleteCheckpoint(path: string): Promise<void> {
    const { timeoutMs } = this.#core.limits;
    await this.#core.send({ method: "DELETE", path: checkpointRoute(path), timeoutMs });
  }

  /**
   * The files of saved weights as a tar archive, or as what the server packs them in. The server names a URL, where it
   * answers at all: servers differ in which kinds of weights they give away.
   */
  async checkpointArchive(path: string): Promise<Uint8Array> {
    const { timeoutMs } = this.#core.limits;
    const route = `${checkpointRoute(path)}/archive`;
    const request = { method: "GET", path: route, timeoutMs, isRedirect: true } as const;
    const answer = await this.#core.send(request);
    const url = answer.headers.get("location") ?? parseAnswer(route, answer, archiveUrlSchema).url;
    return this.#core.parts.transport.download(url, DOWNLOAD_MS);
  }

  /** Ends heartbeats; calls that wait for a result end with `closed`. */
  close(): void {
    for (const session of this.#open) session.close();
    this.#core.close();
  }
}

const archiveUrlSchema = z.object({ url: z.string() });
const DOWNLOAD_MS = 30 * 60_000;

function checkpointRoute(path: string): string {
  const [, modelId, kind, name] =
    /^tinker:\/\/([^/]+)\/(weights|sampler_weights)\/([^/]+)$/.exec(path) ?? [];
  if (modelId === undefined) {
    throw new TinkerError("invalid", `${path} is no path of a checkpoint`);
  }
  return `/training_runs/${encodeURIComponent(modelId)}/checkpoints/${kind}/${name}`;
}

/** Asks the server how it wants to be talked to. Throws `unreachable` when it is not there, `denied` without a right key. */
export async function createTinkerClient(options: TinkerClientOptions): Promise<TinkerClient> {
  const { clock = systemClock, onEvent = () => {}, dialect = "auto" } = options;
  const keys = new Keys(options.apiKey, clock);
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const transport = new Transport(options.baseUrl, { fetch: send, clock, keys });
  const policy = { ...RETRY_POLICY, ...options.retry };
  const parts = { transport, clock, policy, onEvent, renewToken: () => keys.forgetToken() };
  const core = new ClientCore(parts, { ...CLIENT_LIMITS, ...options.limits }, options.journal);
  if (await wantsTokens(core)) {
    keys.useTokens(() => core.call("/auth/token", {}, z.unknown(), { buysToken: true }));
  }
  return new TinkerClient(core, {
    dialect: new DialectChooser(dialect),
    gate: gate(options.maxSamples ?? DEFAULT_MAX_SAMPLES),
    newId: options.newId ?? randomUUID,
  });
}

/** Older servers have no such route. */
async function wantsTokens(core: ClientCore): Promise<boolean> {
  try {
    const body = { sdk_version: SDK_VERSION };
    return (await core.call("/client/config", body, clientConfigResponseSchema)).pjwt_auth_enabled;
  } catch (error) {
    if (TinkerError.is(error, "missing", "unsupported")) return false;
    throw error;
  }
}
