/**
 * Computes tokens, cost and hours of the paper's run on AppWorld from what is assumed about a rollout:
 * `npx tsx bench/appworld/cost.ts [--tokens 18000] [--sampled 2500] [--turns 15] [--prefill 0.13] ...`. Prices are for a
 * million tokens. Every assumption is printed.
 */
import { parseArgs } from "node:util";
import { resolveConfig } from "../../src/train/index.ts";

const { values } = parseArgs({
  options: {
    ...{
      tokens: { type: "string", default: "18000" },
      sampled: { type: "string", default: "2500" },
    },
    ...{ turns: { type: "string", default: "15" }, cell: { type: "string", default: "1" } },
    ...{ servers: { type: "string", default: "40" }, prefill: { type: "string", default: "0.13" } },
    ...{ cached: { type: "string", default: "0" }, sample: { type: "string", default: "0.40" } },
    train: { type: "string", default: "0.40" },
  },
});
const given = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
) as { readonly [name in keyof typeof values]-?: number };

const config = resolveConfig({ recipe: "loop-qwen2.5-32b" }) as unknown as {
  readonly algo: Readonly<Record<string, number>>;
};
const { iterations = 0, tasksPerIteration = 0, groupSize = 0, epochs = 1 } = config.algo;
const rollouts = iterations * tasksPerIteration * groupSize;
const { tokens, sampled, turns } = given;
const read = tokens - sampled;
/** A turn reads again all that stood before it; on average that is half of the row. */
const again = (turns - 1) * (tokens / 2);
const millions = (perRollout: number) => Math.round((rollouts * perRollout) / 1e6);
const counted = {
  prefill: millions(read),
  cached: millions(again),
  sample: millions(sampled),
  train: millions(epochs * tokens),
};
const kinds = ["prefill", "cached", "sample", "train"] as const;
const cost = kinds.reduce((sum, kind) => sum + counted[kind] * given[kind], 0);
const worldHours = (rollouts * turns * given.cell) / given.servers / 3600;
console.log(
  JSON.stringify(
    {
      assumed: { ...given, iterations, tasksPerIteration, groupSize, epochs },
      rollouts,
      millionTokens: counted,
      cost: Math.round(cost),
      worldHours: Math.round(worldHours * 10) / 10,
    },
    null,
    2,
  ),
);
