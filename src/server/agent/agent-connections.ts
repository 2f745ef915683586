/** Connects an agent to its session: by a language model object in this process, or by a URL over HTTP. */
import { type LanguageModelV3, languageModel } from "../../agent/index.ts";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { AgentSession } from "../../spec/index.ts";
import { type Gateway, type GatewayEpisode, openGateway } from "../gateway/index.ts";
import type { AgentContext } from "./options.ts";
import type { RewardWithMetrics } from "./reward.ts";

/** The connections to one session. */
export interface SessionConnection {
  readonly model: LanguageModelV3;
  /**
   * Serves the session over HTTP after the first call of this function. Throws a `config` error when the gateway cannot
   * listen.
   */
  serveOverHttp(): GatewayEpisode;
  /** Returns the reward that the agent posted over HTTP, if any. */
  postedReward(): RewardWithMetrics | undefined;
  close(): void;
}

/** Opens the connections to all sessions of a run. */
export interface AgentConnections {
  open(session: AgentSession): SessionConnection;
  close(): Promise<void>;
}

/** Opens a gateway on loopback. If that fails, agents can still use the language model object. */
export async function openAgentConnections(): Promise<AgentConnections> {
  const gateway = await tryOpenGateway();
  return {
    open(session) {
      let served: GatewayEpisode | undefined;
      return {
        model: languageModel(session),
        serveOverHttp() {
          if ("refusal" in gateway) throw gatewayUnavailableError(gateway.refusal);
          served ??= gateway.open(session);
          return served;
        },
        postedReward: () =>
          served?.postedReward && {
            reward: served.postedReward.value,
            metrics: served.postedReward.metrics,
          },
        close: () => served?.close(),
      };
    },
    close: async () => {
      if (!("refusal" in gateway)) await gateway.close();
    },
  };
}

async function tryOpenGateway(): Promise<Gateway | { readonly refusal: unknown }> {
  try {
    return await openGateway();
  } catch (refusal) {
    return { refusal };
  }
}

function gatewayUnavailableError(cause: unknown): BowlineError {
  return new BowlineError(
    "config",
    `baseURL: the gateway cannot listen on 127.0.0.1 (${errorMessage(cause)}); an agent in this process can use \`model\` instead`,
    { cause },
  );
}

/** Creates the context of an episode. A URL is only opened when the agent reads it. */
export function createContext(
  connection: SessionConnection,
  session: AgentSession,
  signal: AbortSignal,
): AgentContext {
  return {
    model: connection.model,
    session,
    signal,
    get baseURL() {
      return connection.serveOverHttp().openaiBaseURL;
    },
    get anthropicBaseURL() {
      return connection.serveOverHttp().anthropicBaseURL;
    },
    get googleBaseURL() {
      return connection.serveOverHttp().googleBaseURL;
    },
    get apiKey() {
      return connection.serveOverHttp().key;
    },
  };
}
