/**
 * Door two: sessions behind HTTP, for agents that know an address and a key. Three dialects lead to one session each:
 * OpenAI's chat completions and responses, Anthropic's messages.
 *
 * An agent is pointed at an address of its own (`/e/EPISODE/openai/v1`, `/e/EPISODE/anthropic`) with a key of its own, so
 * many episodes share a gateway and none can speak in another's name. It listens on loopback unless told otherwise.
 */
import type { AgentSession } from "../../spec/index.ts";
import { type Episode, Episodes, type OpenOptions, type PostedReward } from "./episodes.ts";
import { listen } from "./http.ts";
import { createRoutes } from "./routes.ts";

/** Where a gateway listens and how it answers. */
export interface GatewayOptions {
  /** Default 127.0.0.1: this machine alone. */
  readonly host?: string;
  /** Default 0: any that is free. */
  readonly port?: number;
  /** The model's name in answers and lists; requests may name any. Default "policy". */
  readonly model?: string;
  /** Streams show text while it is sampled; default false: a stream is one burst. */
  readonly live?: boolean;
  /** Default 16 MiB. */
  readonly bodyLimitBytes?: number;
  /** After which a reply begins although there is no answer; default 60,000. */
  readonly graceMs?: number;
  /** Between two signs of life from then on; default 10,000. */
  readonly keepAliveMs?: number;
}

/** A session with an address. */
export interface GatewayEpisode {
  readonly id: string;
  /** As `Authorization: Bearer` or `x-api-key`; it names the episode wherever the address does not. */
  readonly key: string;
  /** For OpenAI's clients: `http://127.0.0.1:8000/e/EPISODE/openai/v1`. */
  readonly openaiBaseURL: string;
  /** For Anthropic's clients, which add `/v1`: `http://127.0.0.1:8000/e/EPISODE/anthropic`. */
  readonly anthropicBaseURL: string;
  /** What the agent posted to `/e/EPISODE/reward` or `/e/EPISODE/complete`; the last one counts. */
  readonly postedReward: PostedReward | undefined;
  /** Resolves when the agent posts to `/e/EPISODE/complete`, and when the episode is closed. */
  readonly completed: Promise<void>;
  /** Ends calls in flight. Every later one is refused: 403, `session_closed`. */
  close(): void;
}

/** An open gateway: sessions behind addresses, until it is closed. */
export interface Gateway extends AsyncDisposable {
  /** `http://127.0.0.1:8000` */
  readonly url: string;
  readonly port: number;
  /** Gives a session an address and a key. Throws a `config` error where an open episode has the id or the key. */
  open(session: AgentSession, options?: OpenOptions): GatewayEpisode;
  /** Closes all episodes and ends every connection. */
  close(): Promise<void>;
}

/** Starts to listen. Rejects with a `config` error when the address cannot be had. */
export async function openGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { host = "127.0.0.1", port = 0, bodyLimitBytes = 2 ** 24 } = options;
  const { model = "policy", live = false, graceMs = 60_000, keepAliveMs = 10_000 } = options;
  const episodes = new Episodes();
  const style = { model, live, graceMs, keepAliveMs };
  const handler = createRoutes({ episodes, host, style });
  const listening = await listen(handler, { host, port, bodyLimitBytes });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${listening.port}`;
  const close = () => {
    episodes.closeAll();
    return listening.close();
  };
  return {
    url,
    port: listening.port,
    open(session, opened = {}) {
      return toGatewayEpisode(episodes.open(session, opened), url, episodes);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function toGatewayEpisode(episode: Episode, url: string, episodes: Episodes): GatewayEpisode {
  const base = `${url}/e/${encodeURIComponent(episode.id)}`;
  return {
    id: episode.id,
    key: episode.key,
    openaiBaseURL: `${base}/openai/v1`,
    anthropicBaseURL: `${base}/anthropic`,
    get postedReward() {
      return episode.postedReward;
    },
    completed: episode.completed,
    close: () => episodes.close(episode),
  };
}
