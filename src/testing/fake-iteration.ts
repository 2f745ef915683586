/** An iteration without a run around it: what a method's three functions are handed, made of fakes. */
import { compactRenderer, compactScaffold, enginePolicy } from "../agent/index.ts";
import { parseSection, Rng, section } from "../core/index.ts";
import {
  type BaseConfig,
  type Iteration,
  type Method,
  NO_EXTENSIONS,
  NOBODY,
  optimizer,
} from "../methods/index.ts";
import type { OptimizerStep } from "../spec/index.ts";
import { byteTokenizer } from "./byte-tokenizer.ts";
import { fakeWorld } from "./fake-world.ts";
import { tableEngine } from "./table-engine.ts";

/** Fields by section: `{ algo: { groupSize: 4 } }`. */
type Given = { readonly [section: string]: { readonly [field: string]: unknown } };

/** A large step of AdamW, without decay and without clipping. */
export const FAKE_STEP: OptimizerStep = {
  learningRate: 0.1,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradientNorm: 1e9,
};

/** A method's own sections, as its preset and then `given` say, under a small setting. */
export function fakeConfig<C extends BaseConfig, S>(method: Method<C, S>, given: Given = {}): C {
  const setting = {
    run: { seed: 1 },
    world: { episodes: 8, workers: 1 },
    scaffold: { maxTurns: 2 },
  };
  const names = Object.keys({ ...method.preset, ...given });
  const raw = names.map((name) => [name, { ...method.preset[name], ...given[name] }]);
  const sections = section({ optimizer, ...method.sections });
  const own = parseSection(sections, Object.fromEntries(raw)) as object;
  return { ...setting, ...own } as C;
}

/** The first iteration, by a table engine in the fake world, unless told otherwise. */
export function fakeIteration<C extends BaseConfig, S>(
  method: Method<C, S>,
  {
    config: given = {},
    engine = tableEngine(byteTokenizer().vocabularySize),
    ...change
  }: { readonly config?: Given } & Partial<Omit<Iteration<C, S>, "config">> = {},
): Iteration<C, S> {
  const config = fakeConfig(method, given);
  const world = fakeWorld();
  const { maxTurns } = config.scaffold;
  const scaffold = compactScaffold({ maxTurns, maxTurnTokens: 8, maxTokens: 200 });
  const agent = { scaffold, renderer: compactRenderer(byteTokenizer()) };
  return {
    number: 1,
    config,
    engine,
    world,
    tasks: world.tasks("train", 4),
    agent,
    plan: {
      world,
      agent,
      policy: enginePolicy(engine),
      temperature: 1,
      maxTurns,
      episodes: config.world.episodes,
    },
    groupSize: (_, most) => most,
    step: FAKE_STEP,
    rng: new Rng(1),
    reference: undefined,
    participants: NOBODY,
    extensions: NO_EXTENSIONS,
    state: {} as S,
    signal: undefined,
    ...change,
  };
}
