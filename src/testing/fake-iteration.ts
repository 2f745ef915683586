/** A fake iteration, for tests that call a method's three functions without a run. */
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

/** Fields of the configuration by section, such as `{ algo: { groupSize: 4 } }`. */
type ConfigOverrides = { readonly [section: string]: { readonly [field: string]: unknown } };

/** A large AdamW step without weight decay and without clipping. */
export const FAKE_STEP: OptimizerStep = {
  learningRate: 0.1,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradientNorm: 1e9,
};

/** Returns the configuration of a method with a small setting. `overrides` replace fields of the method's preset. */
export function fakeConfig<C extends BaseConfig, S>(
  method: Method<C, S>,
  overrides: ConfigOverrides = {},
): C {
  const setting = {
    run: { seed: 1 },
    world: { episodes: 8, workers: 1 },
    scaffold: { maxTurns: 2 },
  };
  const names = Object.keys({ ...method.preset, ...overrides });
  const rawSections = names.map((name) => [name, { ...method.preset[name], ...overrides[name] }]);
  const sections = section({ optimizer, ...method.sections });
  const methodConfig = parseSection(sections, Object.fromEntries(rawSections)) as object;
  return { ...setting, ...methodConfig } as C;
}

/** Returns the first iteration of a method. By default, it uses the table engine and the fake world. */
export function fakeIteration<C extends BaseConfig, S>(
  method: Method<C, S>,
  {
    config: overrides = {},
    engine = tableEngine(byteTokenizer().vocabularySize),
    ...otherFields
  }: { readonly config?: ConfigOverrides } & Partial<Omit<Iteration<C, S>, "config">> = {},
): Iteration<C, S> {
  const config = fakeConfig(method, overrides);
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
    ...otherFields,
  };
}
