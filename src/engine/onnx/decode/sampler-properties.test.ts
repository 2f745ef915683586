/**
 * Tests one property in many situations. Whatever mix of episodes shares a sampler (equal or different prompts, turns
 * of different sizes, cancellations and retries, released prefixes, too few rows or too little memory for all), every
 * turn has the tokens and log-probs, bit by bit, that it has when its row is the only one.
 */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { sweepSize } from "../../../../tests/support/sweep.ts";
import { Rng } from "../../../core/index.ts";
import type { Sample, SampleFilter, SampleRequest } from "../../../spec/index.ts";
import { initializeParameters, ParameterStore, parseModelConfig } from "../model/index.ts";
import { Sampler, type SubmittedRequest } from "./sampler.ts";

/** A model and the prompts of the episodes that share its sampler. */
interface Setting {
  readonly name: string;
  readonly parameters: ParameterStore;
  /** Returns the tokens with which the prompts of a group begin. */
  readonly opening: (group: number) => readonly number[];
  readonly maxCacheBytes?: number;
  readonly numRuns: number;
}

function randomModel(shape: { heads: number; kvHeads: number; contextLength: number }) {
  const parameters = new ParameterStore(
    parseModelConfig({
      vocabularySize: 24,
      hiddenSize: 16,
      layers: 2,
      headSize: 4,
      intermediateSize: 24,
      ...shape,
    }),
  );
  initializeParameters(parameters, 3);
  return parameters;
}

/** Returns prompt beginnings: two groups share the same 650 tokens, and the third differs after 560. */
function longOpening(group: number): number[] {
  const common = randomTokens(77, 650);
  return group === 2 ? [...common.slice(0, 560), ...randomTokens(78, 100)] : common;
}

const SETTINGS: readonly Setting[] = [
  {
    name: "short rows",
    parameters: randomModel({ heads: 4, kvHeads: 2, contextLength: 160 }),
    opening: () => [],
    numRuns: sweepSize(3, 18),
  },
  {
    name: "long shared prefixes, grouped queries",
    parameters: randomModel({ heads: 6, kvHeads: 2, contextLength: 1000 }),
    opening: longOpening,
    numRuns: sweepSize(2, 4),
  },
  {
    name: "long shared prefixes, one query head per key head, little memory",
    parameters: randomModel({ heads: 1, kvHeads: 1, contextLength: 1000 }),
    opening: longOpening,
    maxCacheBytes: 4 * 1000 * 64,
    numRuns: sweepSize(2, 4),
  },
];

const STOP = 2;
type Answer = Omit<Sample, "policyVersion">;

interface TurnPlan {
  readonly maxTokens: number;
  /** The number of environment tokens before the next turn. */
  readonly observationLength: number;
  /** The number of passes after which the turn is cancelled once, and then requested again. */
  readonly cancelAfter: number | undefined;
}

interface EpisodePlan {
  /** Episodes of one group have the same prompt. */
  readonly group: number;
  readonly promptLength: number;
  readonly temperature: number;
  readonly filter: SampleFilter | undefined;
  readonly startPass: number;
  readonly hasCacheKey: boolean;
  /** Whether its kept prefix is dropped after every turn. */
  readonly releasesPrefix: boolean;
  readonly turns: readonly TurnPlan[];
}

const turnPlan: fc.Arbitrary<TurnPlan> = fc.record({
  maxTokens: fc.integer({ min: 1, max: 40 }),
  observationLength: fc.integer({ min: 0, max: 40 }),
  cancelAfter: fc.option(fc.integer({ min: 0, max: 25 }), { freq: 3, nil: undefined }),
});
const episodePlan: fc.Arbitrary<EpisodePlan> = fc.record({
  group: fc.integer({ min: 0, max: 2 }),
  promptLength: fc.integer({ min: 1, max: 100 }),
  temperature: fc.constantFrom(0, 0.7, 1, 1),
  filter: fc.constantFrom(undefined, undefined, { topP: 0.8 }, { topK: 5, minP: 0.02 }),
  startPass: fc.integer({ min: 0, max: 30 }),
  hasCacheKey: fc.boolean(),
  releasesPrefix: fc.boolean(),
  turns: fc.array(turnPlan, { minLength: 1, maxLength: 3 }),
});

/** The rows of an episode, which depend only on its plan and the samples it got. */
class Episode {
  readonly plan: EpisodePlan;
  readonly stream: number;
  readonly answers: Answer[] = [];
  readonly #contextLength: number;
  readonly #tokens: number[];

  constructor({ parameters, opening }: Setting, plan: EpisodePlan, stream: number) {
    this.plan = plan;
    this.stream = stream;
    this.#contextLength = parameters.config.contextLength;
    this.#tokens = [...opening(plan.group), ...randomTokens(plan.group, plan.promptLength)];
  }

  /** The next turn, or undefined when the episode is over. */
  get turn(): TurnPlan | undefined {
    if (this.#tokens.length >= this.#contextLength) return undefined;
    return this.plan.turns[this.answers.length];
  }

  nextRequest(): SampleRequest {
    const { temperature, filter, hasCacheKey } = this.plan;
    return {
      tokens: [...this.#tokens],
      stream: this.stream,
      maxTokens: this.turn!.maxTokens,
      temperature,
      stopIds: [STOP],
      ...(filter && { filter }),
      ...(hasCacheKey ? { cacheKey: `episode ${this.stream}` } : {}),
    };
  }

  acceptAnswer(answer: Answer): void {
    const observation = randomTokens(
      1000 + this.stream * 10 + this.answers.length,
      this.turn!.observationLength,
    );
    this.answers.push(answer);
    this.#tokens.push(...answer.tokens, ...observation);
  }
}

function randomTokens(seed: number, length: number): number[] {
  const rng = new Rng(seed);
  return Array.from({ length }, () => rng.integer(0, 23));
}

interface PendingTurn {
  readonly submitted: SubmittedRequest;
  readonly sincePass: number;
  answer: Answer | undefined;
}

/** Plays all episodes on one sampler. Each turn is requested as soon as the one before has been answered. */
async function playTogether(
  setting: Setting,
  plans: readonly EpisodePlan[],
  maxLiveRows: number,
  threads: number,
) {
  const { parameters, maxCacheBytes } = setting;
  const sampler = new Sampler(parameters, { seed: 9, threads, maxLiveRows, maxCacheBytes });
  const episodes = plans.map((plan, stream) => new Episode(setting, plan, stream));
  const pendingTurns = new Map<Episode, PendingTurn>();
  const cancelled = new Set<TurnPlan>();
  const cancelledAnswers: {
    readonly partialAnswer: Answer;
    readonly episode: Episode;
    readonly turn: number;
  }[] = [];
  for (let pass = 0; episodes.some((episode) => episode.turn); pass++) {
    expect(pass, "passes until all episodes have ended").toBeLessThan(5000);
    for (const episode of episodes) {
      const { turn, plan } = episode;
      if (!turn || plan.startPass > pass) continue;
      const pending = pendingTurns.get(episode);
      if (!pending) {
        pendingTurns.set(episode, submitTurn(sampler, episode, pass));
      } else if (pending.answer) {
        pendingTurns.delete(episode);
        if (pending.answer.stop === "cancelled") {
          cancelledAnswers.push({
            partialAnswer: pending.answer,
            episode,
            turn: episode.answers.length,
          });
        } else {
          episode.acceptAnswer(pending.answer);
          if (plan.releasesPrefix) sampler.releasePrefix(`episode ${episode.stream}`);
        }
      } else if (turn.cancelAfter === pass - pending.sincePass && !cancelled.has(turn)) {
        cancelled.add(turn);
        pending.submitted.cancel();
      }
    }
    await sampler.runPass();
    await new Promise(setImmediate);
  }
  await sampler.close();
  return { episodes, cancelledAnswers };
}

function submitTurn(sampler: Sampler, episode: Episode, sincePass: number): PendingTurn {
  const pending: PendingTurn = {
    submitted: sampler.submit(episode.nextRequest()),
    sincePass,
    answer: undefined,
  };
  void pending.submitted.sample.then((answer) => {
    pending.answer = answer;
  });
  return pending;
}

const cases = SETTINGS.flatMap((setting) =>
  [1, 2].map((threads) => ({ setting, threads, name: setting.name })),
);

describe.each(cases)(
  "a sampler shared by episodes: $name, with $threads threads",
  ({ setting, threads }) => {
    // Runs one request at a time and keeps nothing, so a request is alone with its tokens.
    const soloSampler = new Sampler(setting.parameters, { seed: 9, threads, maxLiveRows: 1 });
    afterAll(() => soloSampler.close());

    async function playAlone(plan: EpisodePlan, stream: number): Promise<readonly Answer[]> {
      const episode = new Episode(setting, plan, stream);
      while (episode.turn) {
        const { cacheKey: _, ...request } = episode.nextRequest();
        const { sample } = soloSampler.submit(request);
        while (soloSampler.isBusy) await soloSampler.runPass();
        episode.acceptAnswer(await sample);
      }
      return episode.answers;
    }

    test("any mix of episodes gives each episode what it gets alone", async () => {
      const situation = fc.record({
        plans: fc.array(episodePlan, { minLength: 1, maxLength: 9, size: "max" }),
        maxLiveRows: fc.integer({ min: 1, max: 12 }),
      });
      const property = fc.asyncProperty(situation, async ({ plans, maxLiveRows }) => {
        const { episodes, cancelledAnswers } = await playTogether(
          setting,
          plans,
          maxLiveRows,
          threads,
        );
        for (const { plan, stream, answers } of episodes) {
          expect(answers).toEqual(await playAlone(plan, stream));
        }
        for (const { partialAnswer, episode, turn } of cancelledAnswers) {
          const whole = episode.answers[turn]!;
          expect(partialAnswer.tokens).toEqual(whole.tokens.slice(0, partialAnswer.tokens.length));
          expect(partialAnswer.logprobs).toEqual(
            whole.logprobs.slice(0, partialAnswer.tokens.length),
          );
        }
      });
      await fc.assert(property, { seed: 2611, numRuns: setting.numRuns });
    }, 120_000);
  },
);
