/**
 * Runs the learning test on another project's server: it trains a tiny random model to emit bytes below 128.
 *
 *     npx tsx learn.ts http://127.0.0.1:8000 [--by client|engine] [--iterations 30] [--rate 0.02] [--log learn.jsonl]
 *
 * An iteration draws sixteen samples of eight tokens. The reward of a sample is the share of tokens below 128. Then the
 * iteration makes one update with leave-one-out advantages over the batch, and gives the sampler the new weights.
 * Sampling and updating never overlap, because not every server keeps old weights for sampling. Training ends early
 * when the mean reward is close to 1. The exit code is 1 when the mean reward of the last three iterations is below
 * 0.9.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createClientLearner } from "./learn-client.ts";
import { createEngineLearner } from "./learn-engine.ts";
import { type Learner, mean } from "./learner.ts";

const SAMPLES = 16;
const TOKENS = 8;
const PASSING_REWARD = 0.9;
const LEARNED_REWARD = 0.99;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    by: { type: "string", default: "client" },
    iterations: { type: "string", default: "30" },
    rate: { type: "string", default: "0.02" },
    log: { type: "string" },
  },
});
const [url] = positionals;
if (url === undefined) throw new Error("usage: npx tsx learn.ts http://127.0.0.1:8000");
if (values.by !== "client" && values.by !== "engine")
  throw new Error("--by: expected client or engine");
if (values.log) writeFileSync(values.log, "");
const createLearner = values.by === "engine" ? createEngineLearner : createClientLearner;
const learner = await createLearner(url, Number(values.rate));
try {
  process.exitCode = (await trainUntilLearned(learner)) ? 0 : 1;
} finally {
  await learner.close();
}

async function trainUntilLearned({ what, sample, update }: Learner): Promise<boolean> {
  const rewards: number[] = [];
  for (let iteration = 0; iteration < Number(values.iterations); iteration++) {
    const from = performance.now();
    const sampled = await sample(iteration, SAMPLES, TOKENS);
    const scores = sampled.map(({ tokens }) => tokens.filter((id) => id < 128).length / TOKENS);
    const reward = mean(scores);
    const advantages = scores.map((own) => ((own - reward) * SAMPLES) / (SAMPLES - 1));
    const stats = await update(sampled, advantages);
    const seconds = Math.round(performance.now() - from) / 1000;
    printLine({ iteration, reward, ...stats, seconds });
    rewards.push(reward);
    if (rewards.length >= 3 && mean(rewards.slice(-3)) > LEARNED_REWARD) break;
  }
  const last = mean(rewards.slice(-3));
  printLine({ by: what, first: rewards[0] ?? 0, last, passed: last >= PASSING_REWARD });
  return last >= PASSING_REWARD;
}

function printLine(line: Readonly<Record<string, number | boolean | string>>): void {
  const text = JSON.stringify(line, (_, value) =>
    typeof value === "number" ? Number(value.toPrecision(5)) : value,
  );
  console.log(text);
  if (values.log) appendFileSync(values.log, `${text}\n`);
}
