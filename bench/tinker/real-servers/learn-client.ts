/**
 * Implements the learning test with the Tinker client: an update is an `importance_sampling` pass with the sampler's
 * log-probs, followed by an optimizer step.
 */
import {
  createTinkerClient,
  type tinkerClient,
  type tinkerWire,
} from "../../../src/engine/index.ts";
import { type Learner, mean, PROMPT, type SampledTokens, VOCABULARY } from "./learner.ts";

export async function createClientLearner(baseUrl: string, learningRate: number): Promise<Learner> {
  const apiKey = process.env["TINKER_API_KEY"];
  const client = await createTinkerClient({ baseUrl, ...(apiKey && { apiKey }) });
  const { supported_models } = await client.fetchCapabilities();
  const baseModel = supported_models[0]?.model_name ?? "";
  const session = await client.openSession({ tags: ["learning-test"] });
  const lora = { rank: 8, seed: 1, train_unembed: false };
  const model = await session.createModel({ baseModel, lora, vocabularySize: VOCABULARY });
  return {
    what: "client",
    async sample(iteration, samples, maxTokens) {
      const sampler = await session.createSampler(model, { vocabularySize: VOCABULARY });
      const call = { prompt: PROMPT, maxTokens, samples, seed: iteration };
      const { sequences } = await sampler.sample(call);
      return sequences.map(({ tokens, logprobs }) => ({ tokens, logprobs: logprobs ?? [] }));
    },
    update: (sampled, advantages) => takeStep(model, sampled, advantages, learningRate),
    async close() {
      await model.unload().catch(() => {});
      client.close();
    },
  };
}

async function takeStep(
  model: tinkerClient.TinkerModel,
  sampled: readonly SampledTokens[],
  advantages: readonly number[],
  learningRate: number,
): Promise<Readonly<Record<string, number>>> {
  const data = sampled.map((sample, k) => createDatum(sample, advantages[k]!));
  const pass = await model.forwardBackward({ data, lossFn: "importance_sampling" });
  const metrics = await model.optimStep({
    learning_rate: learningRate,
    beta1: 0.9,
    beta2: 0.95,
    eps: 1e-8,
    weight_decay: 0,
    grad_clip_norm: 1,
  });
  return { gap: meanLogprobGap(sampled, pass), ...metrics };
}

/**
 * Creates a datum from x, the prompt and its sample: inputs x[0..L-2] and targets x[1..L-1]. Log-probs and advantages
 * are 0 where the target is a token of the prompt.
 */
function createDatum({ tokens, logprobs }: SampledTokens, advantage: number): tinkerWire.Datum {
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

/** Returns the mean difference between log-probs of sampler and trainer over sampled tokens, in nats. */
function meanLogprobGap(
  sampled: readonly SampledTokens[],
  pass: tinkerWire.ForwardBackwardOutput,
): number {
  const gaps = sampled.flatMap(({ logprobs }, k) => {
    const trained = pass.loss_fn_outputs[k]?.["logprobs"]?.data ?? [];
    return logprobs.map((value, t) => Math.abs(value - trained[PROMPT.length - 1 + t]!));
  });
  return mean(gaps);
}
