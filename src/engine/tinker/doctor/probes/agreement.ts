/**
 * Whether sampler and trainer speak of the same weights: after some training, so that a difference can show.
 *
 * A fresh adapter changes nothing, and every server agrees with itself then. Dropout in the trainer, log-probs after
 * temperature, a sampler that follows the live weights and one that puts old weights into the trainer show only later.
 */
import type { Observation } from "../finding.ts";
import type { Drawn, Sampler } from "../lab.ts";
import { draw, type Probe, presentSampler, type Subject, show } from "../probe.ts";
import { exampleOf, maxGap, meanGap } from "../rows.ts";

/** The alarm of the training loop: above it, tokens or weights are not what they should be. */
export const GAP_NATS = 0.05;
/** What two passes over the same row may differ by: rounding, where the order of sums varies. */
const NOISE_NATS = 0.005;
/** No integer: a server may refuse one where it expects a fraction. */
const HOT = 2.5;

export const agreement: Probe = {
  topics: [
    "trainer-noise",
    "sampler-gap",
    "logprob-temperature",
    "frozen-sampler",
    "sampler-training",
  ],
  async run(subject) {
    const { trainer, example, model } = subject;
    const moved = await trainer.train(example);
    const noise = await trainerNoise(subject);
    const sampler = await presentSampler(model);
    return {
      "trainer-noise": noise.observation,
      "sampler-gap": await samplerGap(sampler, subject, moved),
      "logprob-temperature": await temperature(sampler, subject),
      ...(await oldSampler(sampler, subject)),
    };
  },
};

async function trainerNoise({ trainer, example }: Subject) {
  const passes: (readonly number[])[] = [];
  for (let i = 0; i < 4; i++) passes.push((await trainer.read([example]))[0]!);
  const gap = Math.max(...passes.slice(1).map((pass) => maxGap(pass, passes[0]!)));
  trainer.noise = gap;
  trainer.repeats = gap > 1e-3 ? 4 : 1;
  const ok = gap <= NOISE_NATS;
  const observation: Observation = {
    verdict: ok ? "ok" : "deviates",
    evidence: `four passes over one row at the same weights differ by up to ${show(gap)} nats`,
    measured: { maxGap: gap, passes: passes.length },
    consequence: ok
      ? "none"
      : "dropout, or sums in varying order: ratios on the first minibatch are off 1 by as much, and the run's tripwire must allow it",
  };
  return { observation };
}

async function samplerGap(
  sampler: Sampler,
  { prompt, trainer }: Subject,
  moved: number,
): Promise<Observation> {
  const drawn = await draw(sampler, { prompt, samples: 4 });
  const gap = await gapsOf(drawn, prompt, trainer);
  const ok = gap.mean <= GAP_NATS;
  return {
    verdict: ok ? "ok" : "deviates",
    evidence: `${gap.tokens} sampled tokens at temperature 1, after training moved a row by ${show(moved)} nats: mean gap ${show(gap.mean)}, largest ${show(gap.max)} nats`,
    measured: { tokens: gap.tokens, meanGap: gap.mean, maxGap: gap.max, trainedBy: moved },
    consequence: ok
      ? "none"
      : "old log-probs are recomputed by the trainer before the first minibatch",
  };
}

async function temperature(sampler: Sampler, subject: Subject): Promise<Observation> {
  const { prompt, trainer } = subject;
  const plain = await gapsOf(await draw(sampler, { prompt, samples: 4 }), prompt, trainer);
  const hot = await draw(sampler, { prompt, samples: 4, temperature: HOT });
  const gap = await gapsOf(hot, prompt, trainer);
  const raw = gap.mean <= Math.max(GAP_NATS, 3 * plain.mean);
  return {
    verdict: raw ? "ok" : "deviates",
    evidence: `mean gap to the trainer: ${show(plain.mean)} nats sampled at temperature 1, ${show(gap.mean)} at ${HOT}`,
    measured: { meanGapAt1: plain.mean, meanGapHot: gap.mean, tokens: gap.tokens },
    consequence: raw
      ? "log-probs are untempered: only temperatures 0 and 1 are sampled"
      : "log-probs come after temperature; training stays at temperature 1, where both are the same",
  };
}

async function gapsOf(drawn: Drawn, prompt: readonly number[], trainer: Subject["trainer"]) {
  const written = drawn.sequences.filter(({ tokens }) => tokens.length > 0);
  const rows = written.map(({ tokens }) => exampleOf([...prompt, ...tokens], tokens.length));
  const passes = await trainer.read(rows);
  const sampled = written.flatMap(({ logprobs }) => logprobs);
  const trained = written.flatMap(({ tokens }, k) => passes[k]!.slice(-tokens.length));
  return {
    tokens: sampled.length,
    mean: meanGap(sampled, trained),
    max: maxGap(sampled, trained),
  };
}

/** A sampler, an update, the same sampler again; then a newer sampler, and the old one once more. */
async function oldSampler(old: Sampler, subject: Subject) {
  const { model, trainer, prompt } = subject;
  const greedy = async (sampler: Sampler) =>
    (await draw(sampler, { prompt, temperature: 0 })).sequences[0]!;
  const before = await greedy(old);
  const row = exampleOf([...prompt, ...before.tokens], before.tokens.length);
  const atSave = await trainer.logprobs(row);
  await trainer.train(row, 1);
  const live = await trainer.logprobs(row);
  const after = await greedy(old);
  const oldAgain = maxGapOf(after, before);
  const disturbedBySame = maxGap(await trainer.logprobs(row), live);
  const newer = await presentSampler(model);
  await greedy(newer);
  const third = await greedy(old);
  const disturbed = Math.max(disturbedBySame, maxGap(await trainer.logprobs(row), live));
  const change = maxGap(live, atSave);
  return {
    "frozen-sampler": frozen({ change, oldAgain, third: maxGapOf(third, before) }),
    "sampler-training": undisturbed({ change, disturbed, disturbedBySame }),
  };
}

/** The largest gap of the log-probs; tokens that differ count as far apart. */
function maxGapOf(a: Drawn["sequences"][number], b: Drawn["sequences"][number]): number {
  return a.tokens.join() === b.tokens.join() ? maxGap(a.logprobs, b.logprobs) : Infinity;
}

function frozen(measured: { change: number; oldAgain: number; third: number }): Observation {
  const { change, oldAgain, third } = measured;
  const bound = change / 10;
  const gap = (value: number) => (value === Infinity ? "other tokens" : `${show(value)} nats`);
  const evidence = `an update moved the row by ${show(change)} nats; the older sampler then differs from itself by ${gap(oldAgain)}, and by ${gap(third)} after a newer one was made`;
  const numbers = { change, afterUpdate: finite(oldAgain), afterNewer: finite(third) };
  if (oldAgain <= bound && third <= bound)
    return { verdict: "ok", evidence, measured: numbers, consequence: "none" };
  return {
    verdict: "deviates",
    evidence,
    measured: numbers,
    consequence:
      "only the newest sampler is used, and nothing is drawn between an update and the next sampler: `algo.staleness` must be 0",
  };
}

function undisturbed(measured: {
  change: number;
  disturbed: number;
  disturbedBySame: number;
}): Observation {
  const { change, disturbed, disturbedBySame } = measured;
  const evidence = `the trainer's log-probs of a row, moved ${show(change)} nats by an update, changed by ${show(disturbedBySame)} when the sampler before the update was used, and by ${show(disturbed)} when a newer one had been made`;
  const ok = disturbed <= change / 10;
  return {
    verdict: ok ? "ok" : "deviates",
    evidence,
    measured: { ...measured },
    consequence: ok
      ? "none"
      : "only the newest sampler is used, and nothing is drawn between an update and the next sampler: `algo.staleness` must be 0",
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
