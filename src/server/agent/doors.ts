/** The ways from an agent to its session: a language model in process, and an address for whoever speaks HTTP. */
import { type LanguageModelV3, languageModel } from "../../agent/index.ts";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { AgentSession } from "../../spec/index.ts";
import { type Gateway, type GatewayEpisode, openGateway } from "../gateway/index.ts";
import type { Rewarded } from "./reward.ts";

/** The doors of one session. */
export interface OpenedDoors {
  readonly model: LanguageModelV3;
  /** Given to the session when it is first asked for. Throws a `config` error where no address can be had. */
  address(): GatewayEpisode;
  /** The reward that came over HTTP. */
  posted(): Rewarded | undefined;
  close(): void;
}

/** All doors of a run. */
export interface Doors {
  open(session: AgentSession): OpenedDoors;
  close(): Promise<void>;
}

/** Listens on loopback. Where that is refused, agents that need no address do without. */
export async function openDoors(): Promise<Doors> {
  const gateway = await listening();
  return {
    open(session) {
      let address: GatewayEpisode | undefined;
      return {
        model: languageModel(session),
        address() {
          if ("refusal" in gateway) throw noAddress(gateway.refusal);
          address ??= gateway.open(session);
          return address;
        },
        posted: () =>
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

async function listening(): Promise<Gateway | { readonly refusal: unknown }> {
  try {
    return await openGateway();
  } catch (refusal) {
    return { refusal };
  }
}

function noAddress(cause: unknown): BowlineError {
  return new BowlineError(
    "config",
    `baseURL: the gateway cannot listen on 127.0.0.1 (${errorMessage(cause)}); an agent in this process can take \`model\` instead`,
    { cause },
  );
}
