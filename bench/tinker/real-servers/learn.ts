/**
 * The learning test on a server of others: a tiny random model is taught to emit bytes below 128.
 *
 *     npx tsx learn.ts http://127.0.0.1:8000 [--by client|engine] [--iterations 30] [--rate 0.02] [--log learn.jsonl]
 *
 * Sixteen samples of eight tokens an iteration; the reward is the share of tokens below 128; leave-one-out advantages over
 * the batch; one update; new weights for the sampler. Strictly in turn, because not every server keeps an older sampler
 * apart from training. Ends early once all is learned. Exit code 1: the mean reward of the last three iterations is below
 * 0.9.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createClientLearner } from "./learn-client.ts";
import { createEngineLearner } from "./learn-engine.ts";
import { type Learner, mean } from "./learner.ts";

const SAMPLES = 16;
const TOKENS = 8;
const GOAL = 0.9;
const LEARNED = 0.99;

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
if (values.by !== "client" && values.by !== "engine") throw new Error("--by client or engine");
if (values.log) writeFileSync(values.log, "");
const open = values.by === "engine" ? createEngineLearner : createClientLearner;
const learner = await open(url, Number(values.rate));
try {
  process.exitCode = (await learn(learner)) ? 0 : 1;
} finally {
  await learner.close();
}

async function learn({ what, sample, update }: Learner): Promise<boolean> {
  const rewards: number[] = [];
  for (let iteration = 0; iteration < Number(values.iterations); iteration++) {
    const from = performance.now();
    const sampled = await sample(iteration, SAMPLES, TOKENS);
    const scores = sampled.map(({ tokens }) => tokens.filter((id) => id < 128).length / TOKENS);
    const reward = mean(scores);
    const advantages = scores.map((own) => ((own - reward) * SAMPLES) / (SAMPLES - 1));
    const stats = await update(sampled, advantages);
    const seconds = Math.round(performance.now() - from) / 1000;
    say({ iteration, reward, ...stats, seconds });
    rewards.push(reward);
    if (rewards.length >= 3 && mean(rewards.slice(-3)) > LEARNED) break;
  }
  const last = mean(rewards.slice(-3));
  say({ by: what, first: rewards[0] ?? 0, last, passed: last >= GOAL });
  return last >= GOAL;
}

function say(line: Readonly<Record<string, number | boolean | string>>): void {
  const text = JSON.stringify(line, (_, value) =>
    typeof value === "number" ? Number(value.toPrecision(5)) : value,
  );
  console.log(text);
  if (values.log) appendFileSync(values.log, `${text}\n`);
}
