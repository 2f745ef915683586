/**
 * Prices of tokens that services published, by base model. They are examples of a day and not what a service asks today,
 * so `bowline plan` prints source and date beside every cost, and takes other prices as options.
 */
import type { TokenPrices } from "../../train/index.ts";

/** Prices of a million tokens, with where they were published. */
export interface PublishedPrices extends TokenPrices {
  readonly currency: string;
  readonly source: string;
}

const TINKER = "https://tinker-docs.thinkingmachines.ai/tinker/models/";

export const PUBLISHED_PRICES: { readonly [baseModel: string]: PublishedPrices } = {
  "Qwen/Qwen3-8B": {
    // Tinker takes 80% off for prompt tokens that it has cached.
    ...{ prefillPrice: 0.195, cachedPrice: 0.039, samplePrice: 0.6, trainPrice: 0.44 },
    ...{ currency: "USD", source: `Tinker, ${TINKER}, prices from 17 July 2026` },
  },
  "Qwen/Qwen3-32B": {
    ...{ prefillPrice: 0.49, cachedPrice: null, samplePrice: 1.47, trainPrice: 1.47 },
    currency: "USD",
    source:
      "Tinker, https://thinkingmachines.ai/tinker/, as of 5 January 2026; the list of 17 July 2026 has this model no more",
  },
};
