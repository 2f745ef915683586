/**
 * The learning test on a server of others: a tiny random model is taught to emit bytes below 128, through our client.
 *
 *     npx tsx learn.ts http://127.0.0.1:8000 [--iterations 30] [--rate 0.02] [--log learn.jsonl]
 *
 * Sixteen samples of eight tokens an iteration; the reward is the share of tokens below 128; leave-one-out advantages
 * over the batch; one `importance_sampling` pass against the sampler's log-probs; one AdamW step; new weights for the
 * sampler. Strictly in turn, because not every server keeps an older sampler apart from training. Exit code 1: the mean
 * reward of the last three iterations stayed below 0.9.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { tinkerClient, type tinkerWire } from "../../../src/engine/index.ts";

const SAMPLES = 16;
const TOKENS = 8;
const GOAL = 0.9;
const VOCABULARY = 264;
const PROMPT = [...new TextEncoder().encode("Say: ")];

interface Sampled {
  readonly tokens: readonly number[];
  readonly logprobs: readonly number[];
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    iterations: { type: "string", default: "30" },
    rate: { type: "string", default: "0.02" },
    log: { type: "string" },
  },
});
const [url] = positionals;
if (url === undefined) throw new Error("usage: npx tsx learn.ts http://127.0.0.1:8000");
process.exitCode = (await learn(url)) ? 0 : 1;

async function learn(baseUrl: string): Promise<boolean> {
  const key = process.env["TINKER_API_KEY"];
  const client = await tinkerClient.createTinkerClient({ baseUrl, ...(key && { apiKey: key }) });
  try {
    const { supported_models } = await client.capabilities();
    const baseModel = supported_models[0]?.model_name ?? "";
    const session = await client.openSession({ tags: ["learning-test"] });
    const lora = { rank: 8, seed: 1, train_unembed: false };
    const model = await session.createModel({ baseModel, lora, vocabularySize: VOCABULARY });
    if (values.log) writeFileSync(values.log, "");
    const rewards: number[] = [];
    for (let i = 0; i < Number(values.iterations); i++) {
      rewards.push(await iterate(session, model, i));
      if (mean(rewards.slice(-3)) > 0.99 && rewards.length >= 3) break;
    }
    const last = mean(rewards.slice(-3));
    say({ dialect: client.dialect ?? null, first: rewards[0]!, last, passed: last >= GOAL });
    await model.unload().catch(() => {});
    return last >= GOAL;
  } finally {
    client.close();
  }
}

async function iterate(
  session: tinkerClient.TinkerSession,
  model: tinkerClient.TinkerModel,
  iteration: number,
): Promise<number> {
  const from = performance.now();
  const sampler = await session.samplerOf(model, { vocabularySize: VOCABULARY });
  const { sequences } = await sampler.sample({
    prompt: PROMPT,
    maxTokens: TOKENS,
    samples: SAMPLES,
    seed: iteration,
  });
  const sampled = sequences.map(({ tokens, logprobs }) => ({ tokens, logprobs: logprobs ?? [] }));
  const rewards = sampled.map(({ tokens }) => tokens.filter((id) => id < 128).length / TOKENS);
  const total = rewards.reduce((sum, reward) => sum + reward, 0);
  const data = sampled.map((sample, k) => {
    const others = (total - rewards[k]!) / (SAMPLES - 1);
    return datumOf(sample, rewards[k]! - others);
  });
  const pass = await model.forwardBackward({ data, lossFn: "importance_sampling" });
  const metrics = await model.optimStep({
    learning_rate: Number(values.rate),
    beta1: 0.9,
    beta2: 0.95,
    eps: 1e-8,
    weight_decay: 0,
    grad_clip_norm: 1,
  });
  const reward = total / SAMPLES;
  const seconds = Math.round(performance.now() - from) / 1000;
  say({ iteration, reward, gap: gapOf(sampled, pass), ...metrics, seconds });
  return reward;
}

/** With x the prompt and the sample: inputs x[0..L-2], targets x[1..L-1], zeros where the prompt predicts itself. */
function datumOf({ tokens, logprobs }: Sampled, advantage: number): tinkerWire.Datum {
  const row = [...PROMPT, ...tokens];
  const padding = PROMPT.slice(1).map(() => 0);
  const float = (data: number[]) => ({ data, dtype: "float32" as const, shape: [data.length] });
  return {
    model_input: { chunks: [{ type: "encoded_text", tokens: row.slice(0, -1) }] },
    loss_fn_inputs: {
      target_tokens: { data: row.slice(1), dtype: "int64", shape: [row.length - 1] },
      logprobs: float([...padding, ...logprobs]),
      advantages: float([...padding, ...tokens.map(() => advantage)]),
    },
  };
}

/** Mean |sampler - trainer| over the sampled tokens, nats. */
function gapOf(sampled: readonly Sampled[], pass: tinkerWire.ForwardBackwardOutput): number {
  const gaps = sampled.flatMap(({ logprobs }, k) => {
    const trained = pass.loss_fn_outputs[k]?.["logprobs"]?.data ?? [];
    return logprobs.map((value, t) => Math.abs(value - trained[PROMPT.length - 1 + t]!));
  });
  return mean(gaps);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length);
}

function say(line: Readonly<Record<string, number | boolean | string | null>>): void {
  const text = JSON.stringify(line, (_, value) =>
    typeof value === "number" ? Number(value.toPrecision(5)) : value,
  );
  console.log(text);
  if (values.log) appendFileSync(values.log, `${text}\n`);
}
