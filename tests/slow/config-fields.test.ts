/**
 * Checks that no field of the configuration is silently ignored. Each field gets another value in a tiny run that
 * should use the field. Then something of the run must change (the calls to worlds and engines, the metrics or the
 * weights), or an error must name the field.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorMessage, type FieldInfo } from "../../src/core/index.ts";
import { methods } from "../../src/methods/index.ts";
import { createMemoryFolder, fakeMakers } from "../../src/testing/fake-makers.ts";
import { configFields, configLeaves } from "../../src/train/config/config.ts";
import type { Makers } from "../../src/train/parts/makers.ts";
import { recipes } from "../../src/train/settings/recipes.ts";
import { resolveConfig } from "../../src/train/settings/resolve.ts";
import { SHAPE_SETTINGS, SHAPE_VALUES } from "../../src/train/tests/field-settings.ts";
import { trainWith } from "../../src/train/train.ts";
import { drawCases } from "../support/sweep.ts";
import { createWordyWorld } from "../support/wordy-world.ts";

let root: string;
beforeAll(() => {
  root = createMemoryFolder("bowline-fields-");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A recipe and overrides with which a field is tried. */
interface Setting {
  readonly recipe: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const TINY = {
  "tokenizer.vocabularySize": 280,
  "tokenizer.minimumCount": 5,
  "warm.demonstrations": 24,
  "warm.epochs": 1,
  "warm.rows": 4,
  "warm.learningRate": 0.8,
  "warm.hastyShare": 0.75,
  "world.trainScenarios": 4,
  "world.episodes": 8,
  "algo.iterations": 2,
  "algo.tasksPerIteration": 4,
  "algo.minibatch": 8,
  "optimizer.learningRate": 0.2,
  "optimizer.weightDecay": 0.01,
  "scaffold.maxTurns": 3,
  "scaffold.evaluationTurns": 2,
  "scaffold.maxTurnTokens": 8,
  "scaffold.maxObservationCharacters": 100,
  "scaffold.maxObservationLines": 4,
  "evaluation.scenarios": 1,
  "evaluation.every": 1,
  "evaluation.everyScenarios": 1,
  "evaluation.scores": ["dev", "test-normal"],
};

const onPolicy = (fields: Setting["fields"] = {}, recipe = "starter/on-policy"): Setting => ({
  recipe,
  fields: { "evaluation.every": 0, "algo.reward": "strict", "algo.baseline": "mean", ...fields },
});

/**
 * Returns a setting with a critic, which warms up in the first of two iterations, so that the policy learns in the
 * second.
 */
const withCritic = (fields: Setting["fields"] = {}): Setting => ({
  recipe: "ppo-critic",
  fields: { "critic.warmIterations": 1, ...fields },
});

const DENSE_REWARDS =
  '[{"term":"outcome"},{"term":"executability","weight":0.2},{"term":"call-success","weight":0.1}]';
const TURN_CREDIT = { "credit.unit": "turn", "rewards.terms": DENSE_REWARDS };

/** Overrides with few tasks of all difficulties, each of which is drawn several times. */
const FEW_TASKS = {
  "algo.iterations": 8,
  "world.trainScenarios": 2,
  "algo.tasksPerIteration": 2,
  "algo.groupSize": 3,
};
const REPLAY = { ...FEW_TASKS, "buffer.perTask": 2, "buffer.replay.weight": 1 };
const INJECT = { ...FEW_TASKS, "buffer.perTask": 2, "buffer.inject.below": 0.4 };

/** Settings for fields of mechanisms beyond LOOP, by prefix. Most need another mechanism to be on. */
const MECHANISM_SETTINGS: { readonly [prefix: string]: Setting } = {
  "rewards.": onPolicy(),
  "credit.": onPolicy(TURN_CREDIT),
  "credit.discount": onPolicy({ ...TURN_CREDIT, "credit.returns": "to-go" }),
  "credit.restart": onPolicy({ ...TURN_CREDIT, "credit.returns": "to-go" }),
  "credit.batchGain": onPolicy({ "algo.groupSize": 2 }),
  "credit.branches": onPolicy({ "collect.kind": "branches", "collect.count": 2 }),
  "credit.episodeWeight": onPolicy({ ...TURN_CREDIT, "credit.unit": "both" }),
  "credit.turnWeight": onPolicy({ ...TURN_CREDIT, "credit.unit": "both" }),
  "algo.baselineDecay": onPolicy({ "algo.baseline": "running" }),
  "filter.": onPolicy(),
  "filter.overLong": onPolicy({ "scaffold.maxTokens": 40 }),
  "filter.covariance": onPolicy(),
  "filter.covariance.": onPolicy({ "filter.covariance.share": 0.5, "filter.covariance.low": -5 }),
  "filter.surprise": onPolicy(),
  "filter.surprise.": onPolicy({ "filter.surprise.low": 0.01 }),
  buffer: onPolicy({ ...FEW_TASKS, ...REPLAY }),
  "buffer.": onPolicy(REPLAY),
  "buffer.inject": onPolicy(INJECT),
  "buffer.keep": onPolicy({ ...REPLAY, "algo.reward": "fraction" }),
  "buffer.replay": onPolicy(INJECT),
  "buffer.replay.": onPolicy(REPLAY),
  "tasks.": onPolicy(FEW_TASKS),
  "tasks.prune.": onPolicy({ ...FEW_TASKS, "tasks.prune.above": 0.3, "tasks.prune.after": 1 }),
  "tasks.memory": onPolicy({ ...FEW_TASKS, "algo.groupSize": 8, "tasks.minGroupSize": 2 }),
  "schedule.": onPolicy(),
  "imitation.": onPolicy(),
  "imitation.target": { recipe: "ei", fields: { "algo.reward": "strict" } },
  "imitation.temperature": { recipe: "ei", fields: { "algo.reward": "strict" } },
  "algo.upperClip": onPolicy({ "algo.clip": 0.05 }),
  "algo.keptShare": onPolicy({ "algo.clip": 0.01 }),
  "algo.samplerCap": onPolicy(),
  "algo.kl": onPolicy({}, "grpo"),
  "algo.kl.": onPolicy({}, "grpo"),
  "algo.kl.estimator": { recipe: "grpo", fields: { "algo.kl.coefficient": 1, "algo.epochs": 2 } },
  "algo.entropyBand": onPolicy(),
  "algo.entropyBand.": onPolicy({ "algo.entropyBand.coefficient": 1 }),
  "algo.entropyCoefficient": onPolicy(),
};

/** Settings in which a field is used, by prefix of its path. The longest matching prefix counts. */
const SETTINGS: { readonly [prefix: string]: Setting } = {
  "": { recipe: "starter", fields: {} },
  "algo.kl.estimator": { recipe: "grpo", fields: { "algo.kl.coefficient": 1, "algo.epochs": 2 } },
  "algo.stragglers": { recipe: "starter", fields: { "algo.tasksPerIteration": 10 } },
  "algo.stragglers.": {
    recipe: "starter",
    fields: { "algo.stragglers": true, "algo.tasksPerIteration": 10 },
  },
  "scaffold.evaluationTurns": {
    recipe: "starter",
    fields: {
      "evaluation.scores": ["dev", "test-normal", "dev@T1", "test-normal@T1"],
      "evaluation.scenarios": 4,
    },
  },
  "algo.lowestTemperature": { recipe: "ei", fields: {} },
  "warm.auto.": { recipe: "starter", fields: { "warm.auto.share": 1, "warm.demonstrations": 8 } },
  "preference.": { recipe: "dmpo", fields: { "preference.minimumGap": 0.4 } },
  "preference.discount": { recipe: "dmpo", fields: { "preference.minimumGap": 0.1 } },
  "preference.segmentTurns": {
    recipe: "dmpo",
    fields: { "preference.minimumGap": 0.4, "preference.turns": "segment" },
  },
  "tree.": { recipe: "dpo-mcts", fields: { "algo.groupSize": 8 } },
  "critic.": withCritic(),
  "critic.adaptiveLambda": withCritic({ "critic.lambdaBy": "length" }),
  budget: { recipe: "starter", fields: {} },
  "budget.": { recipe: "starter", fields: { "budget.prefillPrice": 1 } },
  "critic.valueClip": withCritic({ "critic.learningRate": 0.5 }),
  "preference.eta": { recipe: "dmpo", fields: { "preference.loss": "squared" } },
  ...MECHANISM_SETTINGS,
  ...SHAPE_SETTINGS,
};

/** Values for fields that would change nothing with the next larger or smaller value. */
const OTHER_VALUES: { readonly [path: string]: unknown } = {
  ...SHAPE_VALUES,
  "world.name": "toy",
  "budget.cachedPrice": 0.5,
  "budget.ceiling": 1e-6,
  "tokenizer.vocabularySize": 264,
  "tokenizer.minimumCount": 1000,
  "model.hiddenSize": 64,
  "model.heads": 2,
  "model.contextLength": 512,
  "warm.demonstrations": 20,
  "warm.auto": true,
  "warm.auto.share": 0,
  "warm.auto.maxEpochs": 1,
  "algo.groupSize": 5,
  "algo.tasksPerIteration": 3,
  "algo.clip": 0.3,
  "algo.maxTrajectoryKl": 1e-9,
  "algo.advantageThreshold": 0.3,
  "algo.stragglers.share": 0.5,
  "algo.stragglers.groupShare": 1,
  "algo.kl.coefficient": 1,
  "algo.entropyCoefficient": 1,
  "algo.lowestTemperature": 0.3,
  "optimizer.betas": "0.9,0.9",
  "optimizer.maxGradientNorm": 0.01,
  "optimizer.weightDecay": 0.5,
  "optimizer.finalRate": 1,
  "scaffold.maxObservationCharacters": 16,
  "scaffold.maxObservationLines": 1,
  "scaffold.evaluationTurns": 1,
  "scaffold.maxTokens": 90,
  "preference.minimumGap": 0.9,
  "preference.buffer": 100,
  "tree.exploration": 0,
  "critic.warmIterations": 2,
  "critic.lambdaBy": "length",
  "critic.adaptiveLambda": 0.5,
  "critic.valueClip": 0.01,
  "preference.segmentTurns": 2,
  "rewards.terms": '[{"term":"outcome"},{"term":"turns","weight":0.1,"how":"penalty"}]',
  "filter.saturatedAbove": 0.5,
  "filter.surprise.low": 3,
  "filter.surprise.high": 2,
  "filter.covariance.low": 0.01,
  "filter.covariance.high": 0,
  "buffer.capacity": 2,
  "buffer.perTask": 1,
  "buffer.maxAge": 1,
  "buffer.inject.below": 0,
  "buffer.inject.spread": 0,
  "buffer.inject.reward": 2,
  "buffer.replay.weight": 2,
  "buffer.replay.quantile": 1,
  "buffer.replay.groups": 1,
  "world.difficulties": "2",
  "tasks.classes": '["medium","easy"]',
  "tasks.prune.above": 0.5,
  "tasks.minGroupSize": 2,
  "schedule.maxTurns": '{"shape":"steps","values":[1,3],"every":1}',
  "schedule.stages": '[{"iterations":1,"patch":{"algo.clip":0.3}},{"iterations":1,"patch":{}}]',
  "imitation.temperature": 0.3,
  "imitation.mixWeight": 0.5,
  "algo.upperClip": 0.5,
  "algo.keptShare": 0.5,
  "algo.samplerCap": 0.9,
  "algo.kl.turns": 1,
  "algo.entropyBand.coefficient": 2,
  "algo.entropyBand.low": 0.99,
  "algo.entropyBand.high": 0.5,
};

/**
 * Fields that this test leaves out: `engine.name` has only one value, `train.test.ts` tests `run.minutes`, and
 * `gates.test.ts` tests `run.gates`.
 */
const SKIPPED_FIELDS = ["engine.name", "run.minutes", "run.gates"];

let runs = 0;

/**
 * Trains, and returns everything that can be observed of the run as a text: the calls that make worlds and engines, the
 * number of saves, the most open episodes, and the files.
 */
async function traceRun({ recipe, fields }: Setting): Promise<string> {
  const config = resolveConfig({ recipe, overrides: { ...TINY, ...fields } });
  const calls: unknown[] = [];
  let saves = 0;
  let mostOpenEpisodes = 0;
  const makers = fakeMakers();
  const watching: Makers = {
    ...makers,
    openWorld: async (url, options) => {
      calls.push(url, options);
      return createWordyWorld((live) => {
        mostOpenEpisodes = Math.max(mostOpenEpisodes, live);
      });
    },
    checkEngine: async (engine) => void calls.push(engine),
    createEngine: async (name, request, origin) => {
      calls.push(name, request);
      const engine = await makers.createEngine(name, request, origin);
      return {
        ...engine,
        save: (directory) => {
          saves += 1;
          return engine.save(directory);
        },
      };
    },
  };
  const out = join(root, String(runs++));
  const { seconds: _, ...summary } = await trainWith(watching, config, { out });
  const files = readdirSync(join(out, "rollouts")).map((name) =>
    readFileSync(join(out, "rollouts", name), "utf8"),
  );
  const weights = readFileSync(join(out, "checkpoints", "final", "engine", "table.json"), "utf8");
  const metrics = readFileSync(join(out, "metrics.jsonl"), "utf8");
  rmSync(out, { recursive: true });
  return JSON.stringify({ calls, saves, mostOpenEpisodes, summary, files, weights, metrics });
}

const tracesWithoutChange = new Map<Setting, Promise<string>>();
const traceWithoutChange = (setting: Setting) => {
  const known = tracesWithoutChange.get(setting) ?? traceRun(setting);
  tracesWithoutChange.set(setting, known);
  return known;
};

function findSetting(path: string): Setting {
  const prefixes = Object.keys(SETTINGS).filter((prefix) => path.startsWith(prefix));
  return SETTINGS[prefixes.sort((a, b) => b.length - a.length)[0]!]!;
}

/** Returns another value for a field, of the same kind as its present value `now`. */
function pickOtherValue({ path, expected, isGroup }: FieldInfo, now: unknown): unknown {
  if (path in OTHER_VALUES) return OTHER_VALUES[path];
  if (isGroup) return now === null;
  if (typeof now === "boolean") return !now;
  const options = /^one of (.*?)(?: or null)?$/.exec(expected)?.[1]?.split(", ");
  if (options !== undefined) return options[(options.indexOf(String(now)) + 1) % options.length];
  if (typeof now === "number") return expected.startsWith("an integer") ? now + 1 : now / 2 || 0.5;
  return "another";
}

describe("another value of a field changes the run or is refused", () => {
  const fields = new Map(
    ["on-policy", "ppo-critic", "ei", "dmpo", "dpo-mcts"]
      .flatMap((name) => configFields(methods[name]!))
      .filter(({ path }) => !SKIPPED_FIELDS.includes(path))
      .map((field) => [field.path, field] as const),
  );
  it.each(drawCases([...fields]))("%s", async (path, field) => {
    const setting = findSetting(path);
    const { recipe } = setting;
    const now = configLeaves(
      resolveConfig({ recipe, overrides: { ...TINY, ...setting.fields } }),
    ).get(path);
    const other = pickOtherValue(field, now);
    expect(other).not.toEqual(now);
    const fields = { ...setting.fields, [path]: other };
    let trace: string;
    try {
      trace = await traceRun({ recipe, fields });
    } catch (error) {
      expect(errorMessage(error)).toContain(path);
      return;
    }
    expect(
      trace === (await traceWithoutChange(setting)),
      `${path} = ${String(other)} changed nothing`,
    ).toBe(false);
  });
});

describe("a field that a method does not read is refused", () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ["ei", { "algo.clip": 0.2 }, /the method ei has no field algo\.clip; .* loop, /],
    ["starter", { "preference.beta": 1 }, /no field preference\.beta; .* dmpo, dpo-mcts/],
    ["dmpo", { "tree.exploration": 2 }, /no field tree\.exploration; .* dpo-mcts/],
    ["starter", { "critic.lambda": 0.9 }, /no field critic\.lambda; .* ppo-critic/],
    ["starter", { "algo.kl.estimator": "k2" }, /no field algo\.kl\.estimator; .* on-policy/],
    ["starter", { "algo.lowestTemperature": 0.5 }, /no field algo\.lowestTemperature; .* ei/],
    ["dpo-mcts", { "preference.discount": 0.5 }, /no field preference\.discount; .* dmpo/],
    ["sft-gt", { "algo.temperature": 0.5 }, /the method sft-gt has no field algo\.temperature/],
    ["ppo-critic", { "algo.kl.coefficient": 0.1 }, /no field algo\.kl\.coefficient; .* grpo/],
    ["ppo-critic", { "algo.scale": "group" }, /the method ppo-critic has no field algo\.scale/],
  ])("%s %o", (recipe, overrides, message) => {
    expect(() => resolveConfig({ recipe, overrides })).toThrow(message);
  });

  it("every recipe resolves to a configuration", () => {
    for (const recipe of Object.keys(recipes)) resolveConfig({ recipe });
  });
});
