/**
 * One property, many ways to break it: whatever mix of episodes shares a sampler (prompts that start alike or not,
 * turns of different sizes, cancellations in mid-flight and retries, released prefixes, too few rows or too little memory
 * for all), every turn has the tokens and log-probs, bit by bit, that it has when its sequence is the only one there ever
 * was.
 */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { atLength } from "../../../../tests/support/at-length.ts";
import { Rng } from "../../../core/index.ts";
import type { Sample, SampleRequest } from "../../../spec/index.ts";
import { initializeParameters, ParameterStore, parseModelConfig } from "../model/index.ts";
import { Sampler, type SubmittedRequest } from "./sampler.ts";

interface Setting {
  readonly name: string;
  readonly parameters: ParameterStore;
  /** What prompts of a group begin with. */
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

/** Two groups begin with the same 650 tokens, the third leaves them after 560. */
function farOpening(group: number): number[] {
  const common = text(77, 650);
  return group === 2 ? [...common.slice(0, 560), ...text(78, 100)] : common;
}

const SETTINGS: readonly Setting[] = [
  {
    name: "near the beginning",
    parameters: randomModel({ heads: 4, kvHeads: 2, contextLength: 160 }),
    opening: () => [],
    numRuns: atLength(3, 18),
  },
  {
    name: "behind long openings, grouped queries",
    parameters: randomModel({ heads: 6, kvHeads: 2, contextLength: 1000 }),
    opening: farOpening,
    numRuns: atLength(2, 4),
  },
  {
    name: "behind long openings, one query head a key head, little memory",
    parameters: randomModel({ heads: 1, kvHeads: 1, contextLength: 1000 }),
    opening: farOpening,
    maxCacheBytes: 4 * 1000 * 64,
    numRuns: atLength(2, 4),
  },
];

const STOP = 2;
type Answer = Omit<Sample, "policyVersion">;

interface TurnPlan {
  readonly maxTokens: number;
  /** Tokens of environment text before the next turn. */
  readonly heard: number;
  /** Passes after which the turn is cancelled once, and then asked for again. */
  readonly cancelAfter: number | undefined;
}

interface EpisodePlan {
  /** Episodes of one group have one prompt. */
  readonly group: number;
  readonly promptLength: number;
  readonly temperature: number;
  /** Pass at which it comes. */
  readonly start: number;
  readonly keyed: boolean;
  /** Its kept prefix is dropped after every turn. */
  readonly releases: boolean;
  readonly turns: readonly TurnPlan[];
}

const turnPlan: fc.Arbitrary<TurnPlan> = fc.record({
  maxTokens: fc.integer({ min: 1, max: 40 }),
  heard: fc.integer({ min: 0, max: 40 }),
  cancelAfter: fc.option(fc.integer({ min: 0, max: 25 }), { freq: 3, nil: undefined }),
});
const episodePlan: fc.Arbitrary<EpisodePlan> = fc.record({
  group: fc.integer({ min: 0, max: 2 }),
  promptLength: fc.integer({ min: 1, max: 100 }),
  temperature: fc.constantFrom(0, 0.7, 1, 1),
  start: fc.integer({ min: 0, max: 30 }),
  keyed: fc.boolean(),
  releases: fc.boolean(),
  turns: fc.array(turnPlan, { minLength: 1, maxLength: 3 }),
});

/** What an episode says and hears: a function of its plan and the samples it got, of nothing else. */
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
    this.#tokens = [...opening(plan.group), ...text(plan.group, plan.promptLength)];
  }

  /** Undefined: it is over. */
  get turn(): TurnPlan | undefined {
    if (this.#tokens.length >= this.#contextLength) return undefined;
    return this.plan.turns[this.answers.length];
  }

  request(): SampleRequest {
    const { temperature, keyed } = this.plan;
    return {
      tokens: [...this.#tokens],
      stream: this.stream,
      maxTokens: this.turn!.maxTokens,
      temperature,
      stopIds: [STOP],
      ...(keyed ? { cacheKey: `episode ${this.stream}` } : {}),
    };
  }

  accept(answer: Answer): void {
    const heard = text(1000 + this.stream * 10 + this.answers.length, this.turn!.heard);
    this.answers.push(answer);
    this.#tokens.push(...answer.tokens, ...heard);
  }
}

function text(seed: number, length: number): number[] {
  const rng = new Rng(seed);
  return Array.from({ length }, () => rng.integer(0, 23));
}

interface Flight {
  readonly submitted: SubmittedRequest;
  readonly since: number;
  answer: Answer | undefined;
}

/** Plays all episodes on one sampler, each turn asked for as soon as the one before has been answered. */
async function playTogether(
  setting: Setting,
  plans: readonly EpisodePlan[],
  maxLiveRows: number,
  threads: number,
) {
  const { parameters, maxCacheBytes } = setting;
  const sampler = new Sampler(parameters, { seed: 9, threads, maxLiveRows, maxCacheBytes });
  const episodes = plans.map((plan, stream) => new Episode(setting, plan, stream));
  const flights = new Map<Episode, Flight>();
  const cancelled = new Set<TurnPlan>();
  const partial: { readonly cut: Answer; readonly episode: Episode; readonly turn: number }[] = [];
  for (let pass = 0; episodes.some((episode) => episode.turn); pass++) {
    expect(pass, "passes until all episodes have ended").toBeLessThan(5000);
    for (const episode of episodes) {
      const { turn, plan } = episode;
      if (!turn || plan.start > pass) continue;
      const flight = flights.get(episode);
      if (!flight) {
        flights.set(episode, fly(sampler, episode, pass));
      } else if (flight.answer) {
        flights.delete(episode);
        if (flight.answer.stop === "cancelled") {
          partial.push({ cut: flight.answer, episode, turn: episode.answers.length });
        } else {
          episode.accept(flight.answer);
          if (plan.releases) sampler.releasePrefix(`episode ${episode.stream}`);
        }
      } else if (turn.cancelAfter === pass - flight.since && !cancelled.has(turn)) {
        cancelled.add(turn);
        flight.submitted.cancel();
      }
    }
    await sampler.runPass();
    await new Promise(setImmediate);
  }
  await sampler.close();
  return { episodes, partial };
}

function fly(sampler: Sampler, episode: Episode, since: number): Flight {
  const flight: Flight = { submitted: sampler.submit(episode.request()), since, answer: undefined };
  void flight.submitted.sample.then((answer) => {
    flight.answer = answer;
  });
  return flight;
}

const cases = SETTINGS.flatMap((setting) =>
  [1, 2].map((threads) => ({ setting, threads, name: setting.name })),
);

describe.each(cases)("$name, with $threads threads", ({ setting, threads }) => {
  // One at a time, nothing kept: a request is alone with its tokens.
  const alone = new Sampler(setting.parameters, { seed: 9, threads, maxLiveRows: 1 });
  afterAll(() => alone.close());

  async function playAlone(plan: EpisodePlan, stream: number): Promise<readonly Answer[]> {
    const episode = new Episode(setting, plan, stream);
    while (episode.turn) {
      const { cacheKey: _, ...request } = episode.request();
      const { sample } = alone.submit(request);
      while (alone.isBusy) await alone.runPass();
      episode.accept(await sample);
    }
    return episode.answers;
  }

  test("any mix of episodes gives what each gives alone", async () => {
    const situation = fc.record({
      plans: fc.array(episodePlan, { minLength: 1, maxLength: 9, size: "max" }),
      maxLiveRows: fc.integer({ min: 1, max: 12 }),
    });
    const property = fc.asyncProperty(situation, async ({ plans, maxLiveRows }) => {
      const { episodes, partial } = await playTogether(setting, plans, maxLiveRows, threads);
      for (const { plan, stream, answers } of episodes) {
        expect(answers).toEqual(await playAlone(plan, stream));
      }
      for (const { cut, episode, turn } of partial) {
        const whole = episode.answers[turn]!;
        expect(cut.tokens).toEqual(whole.tokens.slice(0, cut.tokens.length));
        expect(cut.logprobs).toEqual(whole.logprobs.slice(0, cut.tokens.length));
      }
    });
    await fc.assert(property, { seed: 2611, numRuns: setting.numRuns });
  }, 120_000);
});
