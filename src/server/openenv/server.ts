/**
 * Serves a world as an environment of OpenEnv: trainers of other people reset and step it over a WebSocket, and agents
 * call its APIs as tools.
 *
 *   /ws           one socket is one environment; each reset opens a new episode
 *   /mcp          JSON-RPC over HTTP or a socket: the APIs as tools
 *   /NAME/...     the task API: splits, and tasks by their place
 *   /NAME/world   what a remote world of Bowline asks; it plays by the actions `run_cell` and `evaluate`
 *   /health ...   what OpenEnv's validator asks
 *
 * At most `maxEpisodes` sessions exist at once, and each has at most one episode. A session ends with its socket, or
 * when it was idle for too long.
 */
import { randomUUID } from "node:crypto";
import type { RewardName } from "../../algo/index.ts";
import { readOwnVersion } from "../../core/index.ts";
import type { Episode, Split, World } from "../../spec/index.ts";
import type { ApiDescription } from "../../world/index.ts";
import { isSameKey, openFront, type RequestHead, readBearerKey } from "../http/index.ts";
import { OpenEnvError } from "./openenv-error.ts";
import { describeWorldFacts } from "./remote-world.ts";
import { answerCall, formatHttpError, type RouteContext } from "./routes.ts";
import { describeEnvironment, describePaths } from "./schemas.ts";
import { SessionRegistry } from "./session-registry.ts";
import { acceptSocket } from "./sockets.ts";
import { TaskList } from "./task-list.ts";
import { ToolList } from "./tool-list.ts";

/** A world with what the server says about it. `openWorld` opens such worlds. */
export interface ServedWorld extends World {
  readonly splits: readonly Split[];
  describeApis(): readonly ApiDescription[];
}

/** The world that is served, to whom, and what bounds it. */
export interface OpenEnvServerOptions {
  /** The world; whoever opened it closes it, after the server. */
  readonly world: ServedWorld;
  /** The address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** The port; the default, 0, picks a free one. */
  readonly port?: number;
  /** The splits that clients may open; the default is `train` and `dev`, as far as the world has them. */
  readonly splits?: readonly Split[];
  /** The number of scenarios of each split, three tasks each; the default is all that the world lists. */
  readonly scenarios?: number;
  /** The number of sessions, each with at most one episode; default 64. */
  readonly maxEpisodes?: number;
  /** The number of steps after which an episode is over; default 100. */
  readonly maxSteps?: number;
  /** How long a client may be silent, in milliseconds; default 30 minutes. */
  readonly idleMs?: number;
  /** The reward of an episode that is over; default `fraction`, the share of checks that pass. */
  readonly reward?: RewardName;
  /** The key that clients must send as `Authorization: Bearer KEY`; by default none. */
  readonly key?: string;
  /** True lets remote worlds ask for the solutions of tasks, which a warm start imitates. Default: false. */
  readonly solutions?: boolean;
  /** The largest message and body, in bytes; default 4 MiB. */
  readonly messageBytes?: number;
}

/** A server of OpenEnv that is running. */
export interface OpenEnvServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The name of the environment in paths of the task API. */
  readonly name: string;
  readonly splits: readonly Split[];
  /** The number of episodes that are open now. */
  readonly openEpisodes: number;
  /** The number of sessions, with an episode or without. */
  readonly sessions: number;
  /** Ends every connection and closes every episode. */
  close(): Promise<void>;
}

export const OPENENV_DEFAULTS = {
  maxEpisodes: 64,
  maxSteps: 100,
  idleMs: 30 * 60_000,
  messageBytes: 4 << 20,
} as const;
const DEFAULT_SPLITS: readonly Split[] = ["train", "dev"];

/** Starts to serve a world. Throws a `config` error for a split without tasks, and when the address is not available. */
export async function startOpenEnvServer(options: OpenEnvServerOptions): Promise<OpenEnvServer> {
  const { host = "127.0.0.1", port = 0, key } = options;
  const openEpisodes = new Set<Episode>();
  const context = createContext(options, openEpisodes);
  const { registry, tasks, name } = context;
  const { messageBytes, idleMs } = { ...OPENENV_DEFAULTS, ...options };
  const front = await openFront({
    ...{ host, port, limits: { bodyBytes: messageBytes } },
    async answer(call, response) {
      // Those who only look whether the server is there, such as a cluster, have no key.
      if (call.path !== "/health") requireKey(call, key);
      await answerCall(call, response, context);
    },
    formatError: formatHttpError,
    sockets: {
      ...{ messageBytes, idleMs },
      accept(call) {
        requireKey(call, key);
        return acceptSocket(call, context);
      },
    },
  });
  const close = async () => {
    await front.close();
    await registry.closeAll();
  };
  return {
    ...{ url: `http://${host.includes(":") ? `[${host}]` : host}:${front.port}`, port: front.port },
    ...{ name, splits: tasks.splits, close },
    [Symbol.asyncDispose]: close,
    get openEpisodes() {
      return openEpisodes.size;
    },
    get sessions() {
      return registry.size;
    },
  };
}

function createContext(options: OpenEnvServerOptions, openEpisodes: Set<Episode>): RouteContext {
  const { world, reward = "fraction", scenarios } = options;
  const { maxEpisodes, maxSteps, idleMs } = { ...OPENENV_DEFAULTS, ...options };
  const splits = options.splits ?? world.splits.filter((split) => DEFAULT_SPLITS.includes(split));
  const tasks = new TaskList(world, splits, scenarios);
  const apis = world.describeApis();
  const tools = new ToolList(apis);
  const name = world.name.replace(/[^\w.-]+/g, "-");
  const serverId = randomUUID();
  const environment = { world, tasks, tools, maxSteps, reward, openEpisodes, serverId };
  const hasSolutions = options.solutions === true && world.hasSolutions;
  const facts = {
    bowline: readOwnVersion(),
    server: serverId,
    hasSolutions,
    episodes: maxEpisodes,
  };
  return {
    ...{ tasks, tools, name },
    registry: new SessionRegistry({ environment, maxSessions: maxEpisodes, idleMs }),
    server: { name: `bowline-${name}`, version: readOwnVersion() },
    remote: { world, facts: describeWorldFacts(world, tasks, apis, facts) },
    metadata: describeEnvironment(world.name, tasks, apis),
    paths: describePaths(`Bowline: ${world.name}`),
  };
}

function requireKey({ headers }: Pick<RequestHead, "headers">, key: string | undefined): void {
  if (key === undefined || isSameKey(readBearerKey(headers), key)) return;
  const message = "expected the header authorization with the server's key: Bearer KEY";
  throw new OpenEnvError("SESSION_ERROR", message, { status: 401 });
}
