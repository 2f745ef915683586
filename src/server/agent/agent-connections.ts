/** The ways from an agent to its session: a language model in process, and an address for whoever speaks HTTP. */
import { type LanguageModelV3, languageModel } from "../../agent/index.ts";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { AgentSession } from "../../spec/index.ts";
import { type Gateway, type GatewayEpisode, openGateway } from "../gateway/index.ts";
import type { RewardWithMetrics } from "./reward.ts";

/** The doors of one session. */
export interface SessionConnection {
  readonly model: LanguageModelV3;
  /** Given to the session when it is first asked for. Throws a `config` error where no address can be had. */
  openAddress(): GatewayEpisode;
  /** The reward that came over HTTP. */
  postedReward(): RewardWithMetrics | undefined;
  close(): void;
}

/** All doors of a run. */
export interface AgentConnections {
  open(session: AgentSession): SessionConnection;
  close(): Promise<void>;
}

/** Listens on loopback. Where that is refused, agents that need no address do without. */
export async function openAgentConnections(): Promise<AgentConnections> {
  const gateway = await tryOpenGateway();
  return {
    open(session) {
      let address: GatewayEpisode | undefined;
      return {
        model: languageModel(session),
        openAddress() {
          if ("refusal" in gateway) throw noAddressError(gateway.refusal);
          address ??= gateway.open(session);
          return address;
        },
        postedReward: () =>
          address?.postedReward && {
            reward: address.postedReward.value,
            metrics: address.postedReward.metrics,
          },
        close: () => address?.close(),
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

function noAddressError(cause: unknown): BowlineError {
  return new BowlineError(
    "config",
    `baseURL: the gateway cannot listen on 127.0.0.1 (${errorMessage(cause)}); an agent in this process can take \`model\` instead`,
    { cause },
  );
}
