/**
 * A reward term of your own: the price of a rollout's API calls, as a small negative number that is added to the
 * outcome. An agent earns a little more if it solves a task with fewer calls, and still less if it gives up at once.
 *
 *     bowline train smoke --reward ./examples/my-reward.ts
 *     API_PRICES=./prices.json bowline train smoke --reward ./examples/my-reward.ts
 *
 * A term returns a number, as `(rollout) => -0.01 * rollout.turns.length`, or a promise, as here. It is called for all
 * rollouts of an iteration at the same time.
 */
import { readFile } from "node:fs/promises";
import type { RewardFunction } from "bowline";

type Prices = Readonly<Record<string, number>>;

/** Prices by "app.api". "read" and "write" are the prices of all other calls. */
const DEFAULT_PRICES: Prices = { read: 0.005, write: 0.01 };
let prices: Promise<Prices> | undefined;

async function loadPrices(path = process.env["API_PRICES"]): Promise<Prices> {
  if (path === undefined) return DEFAULT_PRICES;
  return { ...DEFAULT_PRICES, ...(JSON.parse(await readFile(path, "utf8")) as Prices) };
}

const cost: RewardFunction = async ({ turns }) => {
  prices ??= loadPrices();
  const priceList = await prices;
  const calls = turns.flatMap((turn) => turn.calls);
  const callPrices = calls.map(({ app, api, wrote }) => {
    return priceList[`${app}.${api}`] ?? priceList[wrote ? "write" : "read"]!;
  });
  return -callPrices.reduce((sum, price) => sum + price, 0);
};

export default cost;
