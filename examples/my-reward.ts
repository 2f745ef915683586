/**
 * A reward term of one's own: what a rollout's API calls cost. It is added to the outcome, so it is negative and small: an
 * agent that solves a task with fewer calls earns a little more, and one that gives up at once still earns less.
 *
 *     bowline train smoke --reward ./examples/my-reward.ts
 *     API_PRICES=./prices.json bowline train smoke --reward ./examples/my-reward.ts
 *
 * A term may answer at once, `(rollout) => -0.01 * rollout.turns.length`, or later, as here: with a price list, a judge, a
 * test suite. Those of all rollouts of an iteration are asked together.
 */
import { readFile } from "node:fs/promises";
import type { RewardFunction } from "bowline";

type Prices = Readonly<Record<string, number>>;

/** By "app.api", or "read" and "write" for the others. */
const DEFAULT_PRICES: Prices = { read: 0.005, write: 0.01 };
let prices: Promise<Prices> | undefined;

async function loadPrices(path = process.env["API_PRICES"]): Promise<Prices> {
  if (path === undefined) return DEFAULT_PRICES;
  return { ...DEFAULT_PRICES, ...(JSON.parse(await readFile(path, "utf8")) as Prices) };
}

const cost: RewardFunction = async ({ turns }) => {
  prices ??= loadPrices();
  const list = await prices;
  const calls = turns.flatMap((turn) => turn.calls);
  const paid = calls.map(({ app, api, wrote }) => {
    return list[`${app}.${api}`] ?? list[wrote ? "write" : "read"]!;
  });
  return -paid.reduce((sum, price) => sum + price, 0);
};

export default cost;
