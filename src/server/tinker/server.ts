/**
 * A Tinker server around the embedded engine: any client of the protocol can train and sample a local model with it.
 *
 * `startTinkerServer` builds it from these parts, from the outside in: a listener (HTTP), an exchange (routes,
 * idempotency), sessions, models and samplers (names, order, futures), and a backend (weights).
 */
import { randomUUID } from "node:crypto";
import { createFolder } from "../../core/index.ts";
import type { Front } from "../http/index.ts";
import type { Backend } from "./backend.ts";
import type { Behaviour } from "./behaviour.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { Exchange } from "./exchange.ts";
import { Futures } from "./futures.ts";
import { withIdempotency } from "./idempotency.ts";
import { listen } from "./listener.ts";
import { Models } from "./models.ts";
import { ResultLog } from "./result-log.ts";
import { createExchange } from "./routes.ts";
import { Samplers } from "./samplers.ts";
import { Sessions } from "./sessions.ts";
import { Training } from "./training.ts";

export interface TinkerServerOptions {
  readonly backend: Backend;
  /** Holds checkpoints and results of futures. A server that is started on it again finds them. */
  readonly stateDirectory: string;
  /** The address to listen on. The default, 127.0.0.1, is reachable from this machine only. */
  readonly host?: string;
  /** The port; the default, 0, picks a free one. */
  readonly port?: number;
  /** The seed of adapters whose client names none; default 0. */
  readonly seed?: number;
  /** Changes to the server's behaviour, for tests. */
  readonly behaviour?: Behaviour;
  /** How long `retrieve_future` is held open; default 30 s, which is less than clients wait. */
  readonly pollMs?: number;
  /** How many sampling sessions with unnamed weights are kept; default 16. */
  readonly keptSamplers?: number;
  /** The largest request body; default 32 MiB. */
  readonly bodyLimitBytes?: number;
  /** How many milliseconds a client may take to send a request; default 300,000. */
  readonly receiveMs?: number;
  /** Returns a new session id. The default ids are random, because ids must differ between restarts. */
  readonly newSessionId?: () => string;
  /** Returns the seconds since 1970, for expiring checkpoints and silent sessions. */
  readonly now?: () => number;
}

export interface TinkerServer {
  /** The base URL for clients, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly port: number;
  /** Ends all connections and running work and closes the backend. Checkpoints and results stay. */
  close(): Promise<void>;
}

const MAX_SILENCE_SECONDS = 300;

/** Starts the server. Throws a `config` error, and closes the backend, when it cannot listen on the address. */
export async function startTinkerServer(options: TinkerServerOptions): Promise<TinkerServer> {
  const { host = "127.0.0.1", port = 0, bodyLimitBytes = 2 ** 25, receiveMs } = options;
  const { behaviour = {} } = options;
  createFolder(options.stateDirectory);
  const backend = behaviour.wrapBackend?.(options.backend) ?? options.backend;
  const { exchange, futures } = buildExchange(backend, options);
  let listener: Front;
  try {
    listener = await listen(behaviour.wrapExchange?.(exchange) ?? exchange, {
      host,
      port,
      bodyLimitBytes,
      ...(receiveMs !== undefined && { receiveMs }),
    });
  } catch (error) {
    await backend.close();
    throw error;
  }
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${listener.port}`,
    port: listener.port,
    async close() {
      futures.close();
      await listener.close();
      await backend.close();
    },
  };
}

function buildExchange(
  backend: Backend,
  options: TinkerServerOptions,
): { readonly exchange: Exchange; readonly futures: Futures } {
  const { stateDirectory: directory, seed = 0, pollMs = 30_000, keptSamplers = 16 } = options;
  const now = options.now ?? (() => Date.now() / 1000);
  const newId = options.newSessionId ?? randomUUID;
  const futures = new Futures(new ResultLog(directory));
  const checkpoints = new Checkpoints(directory, now);
  const sessions = new Sessions(newId, now);
  const parts = { backend, futures, checkpoints, sessions };
  const models = new Models({ ...parts, seed, silenceSeconds: MAX_SILENCE_SECONDS });
  const samplers = new Samplers({ ...parts, models, directory, keptSamplers });
  const training = new Training({ ...parts, models });
  const service = { ...parts, models, training, samplers, pollMs };
  return { exchange: withIdempotency(createExchange(service)), futures };
}
