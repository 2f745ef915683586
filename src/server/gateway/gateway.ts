/**
 * The gateway serves sessions over HTTP, for agents that only need a URL and a key. It speaks four dialects: OpenAI's
 * chat completions and responses, Anthropic's messages, and Google's `generateContent`.
 *
 * Each agent gets its own URL (`/e/EPISODE/openai/v1`, `/e/EPISODE/anthropic`, `/e/EPISODE/google`) and its own key, so
 * many episodes can share a gateway and none can use another's session. By default the gateway listens on loopback.
 */
import type { AgentSession } from "../../spec/index.ts";
import { openFront } from "../http/index.ts";
import { type Episode, Episodes, type OpenOptions, type PostedReward } from "./episodes.ts";
import { createRoutes } from "./routes.ts";

/** The address of a gateway, and how it sends answers. */
export interface GatewayOptions {
  /** The address to listen on. The default, 127.0.0.1, is reachable from this machine only. */
  readonly host?: string;
  /** The port; the default, 0, picks a free one. */
  readonly port?: number;
  /** The model's name in answers and lists, by default "policy". Requests may name any model. */
  readonly model?: string;
  /** Whether streams send text while it is sampled. By default a stream is sent at once when the answer is complete. */
  readonly live?: boolean;
  /** The largest request body; default 16 MiB. */
  readonly bodyLimitBytes?: number;
  /** How many milliseconds a client may take to send a request; default 300,000. */
  readonly receiveMs?: number;
  /**
   * How many milliseconds a call may wait for its answer before the reply begins with keep-alive text; default 60,000.
   */
  readonly graceMs?: number;
  /** The milliseconds between two keep-alive texts; default 10,000. */
  readonly keepAliveMs?: number;
}

/** A session that is served by a gateway. */
export interface GatewayEpisode {
  readonly id: string;
  /**
   * The key, sent as `Authorization: Bearer`, `x-api-key`, `x-goog-api-key` or `?key=`. It identifies the episode when
   * the URL does not.
   */
  readonly key: string;
  /** The base URL for OpenAI's clients: `http://127.0.0.1:8000/e/EPISODE/openai/v1`. */
  readonly openaiBaseURL: string;
  /** The base URL for Anthropic's clients, which add `/v1`: `http://127.0.0.1:8000/e/EPISODE/anthropic`. */
  readonly anthropicBaseURL: string;
  /** The base URL for Google's clients, which add `/v1beta`: `http://127.0.0.1:8000/e/EPISODE/google`. */
  readonly googleBaseURL: string;
  /** The last reward that the agent posted to `/e/EPISODE/reward` or `/e/EPISODE/complete`. */
  readonly postedReward: PostedReward | undefined;
  /** Resolves when the agent posts to `/e/EPISODE/complete`, and when the episode is closed. */
  readonly completed: Promise<void>;
  /** Ends running calls. Every later call gets a 403 with the code `session_closed`. */
  close(): void;
}

/** An open gateway. */
export interface Gateway extends AsyncDisposable {
  /** The gateway's URL, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly port: number;
  /** Serves a session under a new URL and key. Throws a `config` error when an open episode has the same id or key. */
  open(session: AgentSession, options?: OpenOptions): GatewayEpisode;
  /** Closes all episodes and ends every connection. */
  close(): Promise<void>;
}

/** Opens a gateway. Throws a `config` error when the address is not available. */
export async function openGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { host = "127.0.0.1", port = 0, bodyLimitBytes = 2 ** 24, receiveMs } = options;
  const { model = "policy", live = false, graceMs = 60_000, keepAliveMs = 10_000 } = options;
  const episodes = new Episodes();
  const style = { model, live, graceMs, keepAliveMs };
  const limits = { bodyBytes: bodyLimitBytes, ...(receiveMs !== undefined && { receiveMs }) };
  const listening = await openFront({ host, port, limits, ...createRoutes({ episodes, style }) });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${listening.port}`;
  const closeGateway = () => {
    episodes.closeAll();
    return listening.close();
  };
  return {
    url,
    port: listening.port,
    open(session, opened = {}) {
      return toGatewayEpisode(episodes.open(session, opened), url, episodes);
    },
    close: closeGateway,
    [Symbol.asyncDispose]: closeGateway,
  };
}

function toGatewayEpisode(episode: Episode, url: string, episodes: Episodes): GatewayEpisode {
  const base = `${url}/e/${encodeURIComponent(episode.id)}`;
  return {
    id: episode.id,
    key: episode.key,
    openaiBaseURL: `${base}/openai/v1`,
    anthropicBaseURL: `${base}/anthropic`,
    googleBaseURL: `${base}/google`,
    get postedReward() {
      return episode.postedReward;
    },
    completed: episode.completed,
    close: () => episodes.close(episode),
  };
}
