/** The section `budget`: what tokens cost, and how much may be spent. Nothing is priced by default. */
import { z } from "zod";
import { isPriced } from "./budget/index.ts";
import type { Config } from "./config.ts";

const price = () => z.number().min(0).max(1e6);
const priceOf = (what: string) => `Price of a million tokens ${what}, in any currency`;

export const budget = z.strictObject({
  prefillPrice: price()
    .default(0)
    .describe(priceOf("of prompts, and of rows that are only evaluated")),
  cachedPrice: price()
    .nullable()
    .default(null)
    .describe(
      priceOf("of prompts that an earlier turn of the rollout already showed; null: as others"),
    ),
  samplePrice: price().default(0).describe(priceOf("that are sampled")),
  trainPrice: price().default(0).describe(priceOf("of rows that are trained on")),
  ceiling: z
    .number()
    .min(0)
    .max(1e9)
    .nullable()
    .default(null)
    .describe(
      "The run stops, and can be continued under a higher one, before it costs more than this; null: no ceiling",
    ),
});

/** A ceiling on what costs nothing is never reached; undefined when all is well. */
export function budgetConflict({ budget }: Pick<Config, "budget">): string | undefined {
  if (budget.ceiling === null || isPriced(budget)) return undefined;
  return `budget.ceiling: expected a price beside it (budget.prefillPrice, samplePrice, trainPrice), for ${budget.ceiling} is never reached when all tokens are free`;
}
