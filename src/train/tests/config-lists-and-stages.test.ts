/** Tests lists and schedules on a command line, stages, and fields that contradict each other. */
import { describe, expect, it, test } from "vitest";
import type { Config } from "../config/config.ts";
import { findPackageMethod } from "../config/named-method.ts";
import { configAndMethodAt, listConfigsAndMethods } from "../config/stages.ts";
import { listEngineNeeds } from "../parts/engine-needs.ts";
import { resolveConfig } from "../settings/resolve.ts";

type MechanismConfig = Config & Record<"rewards" | "schedule" | "algo", Record<string, never>>;
const resolveWith = (overrides: Record<string, unknown>, recipe = "starter/on-policy") =>
  resolveConfig({ recipe, overrides }) as MechanismConfig;
const phaseOfConfig = (config: Config) => ({ config, ...findPackageMethod(config.method) });
const configAt = (config: Config, iteration: number) =>
  configAndMethodAt(phaseOfConfig(config), iteration).config as MechanismConfig;

describe("lists and schedules", () => {
  it("can be given as JSON text or as values, with the same result", () => {
    const terms = [{ term: "outcome" }, { term: "turns", weight: -0.1 }];
    const weight = { shape: "cosine", from: 0, to: 1, over: 10 };
    const fields = { "buffer.perTask": 4, "buffer.replay.weight": weight };
    const plain = resolveWith({ "rewards.terms": terms, ...fields });
    const text = resolveWith({
      "rewards.terms": JSON.stringify(terms),
      "buffer.per-task": "4",
      "buffer.replay.weight": JSON.stringify(weight),
    });
    expect(text).toEqual(plain);
    expect(plain.rewards["terms"]![1]).toMatchObject({ weight: -0.1, how: "add", gate: null });
    expect(resolveWith({ "schedule.maxTurns": "4" }).schedule.maxTurns).toBe(4);
    const growing = { shape: "linear", from: 1, to: 8, over: 10 };
    expect(resolveWith({ schedule: { maxTurns: growing } }).schedule.maxTurns).toEqual(growing);
  });

  it.each([
    [
      { "rewards.terms": '[{"term":"outcom"}]' },
      /rewards\.terms\.0\.term: expected one of .*"outcom"/,
    ],
    [{ "rewards.terms": '[{"term":' }, /rewards\.terms: expected a JSON list .* not JSON/],
    [{ "rewards.terms": '[{"term":"turns","waight":1}]' }, /rewards\.terms\.0\.waight/],
    [{ "rewards.terms": "outcome" }, /rewards\.terms: expected a JSON list .*"outcome"/],
    [
      { "schedule.maxTurns": '{"shape":"step"}' },
      /schedule\.maxTurns: expected a number .*schedule/,
    ],
    [
      { "buffer.replay.weight": '{"shape":"linear","from":-1,"to":1,"over":9}' },
      /buffer\.replay\.weight\.from: expected number to be >=0, got -1/,
    ],
    [{ "tasks.classes": '["brutal"]' }, /tasks\.classes\.0: expected one of .*"brutal"/],
  ])("are rejected with the path of the wrong part: %o", (overrides, says) => {
    expect(() => resolveWith(overrides)).toThrow(says);
  });
});

describe("stages", () => {
  const stages = [
    { iterations: 2, patch: { "scaffold.max-turns": "1" } },
    { iterations: 1, patch: { "algo.kl.coefficient": 0.1, "credit.entropyFactor": 0.2 } },
  ];

  test("an iteration has the fields of its stage, and the last stage holds to the end", () => {
    const config = resolveWith({ "schedule.stages": stages });
    const turns = [1, 2, 3, 9].map((iteration) => configAt(config, iteration).scaffold.maxTurns);
    expect(turns).toEqual([1, 1, 8, 8]);
    expect(configAt(config, 3).algo["kl"]).toMatchObject({ coefficient: 0.1 });
    expect(configAt(config, 2).algo["kl"]).toBeNull();
    expect(configAt(config, 1)).toBe(configAt(config, 2));
  });

  test("without stages, every iteration has the same configuration object", () => {
    const config = resolveWith({});
    expect(configAt(config, 5)).toBe(config);
    expect(listConfigsAndMethods(phaseOfConfig(config)).map((phase) => phase.config)).toEqual([
      config,
    ]);
  });

  test("what later stages need from an engine is checked when the run starts", () => {
    const needs = listEngineNeeds(phaseOfConfig(resolveWith({ "schedule.stages": stages })));
    expect(needs.map(({ capability }) => capability).sort()).toEqual(["entropy", "snapshot"]);
  });

  it.each([
    [{ "algo.klCoeficient": 1 }, /unknown field algo\.klCoeficient.* fields of algo: ratio, /],
    [
      { "scaffold.maxTokens": 99 },
      /stages\.0\.patch: scaffold\.maxTokens must be the same in the whole run/,
    ],
    [
      { "algo.kl.estimator": "k1" },
      /stages\.0\.patch: algo\.kl\.estimator: expected one of k2, k3, got "k1"/,
    ],
    [{ "algo.clip": -1 }, /stages\.0\.patch: algo\.clip: expected a number from 0 to 10, got -1/],
  ])("rejects a stage whose configuration is wrong: %o", (patch, says) => {
    const resolveWithStage = () => resolveWith({ "schedule.stages": [{ iterations: 1, patch }] });
    expect(resolveWithStage).toThrow(says);
  });
});

describe("fields that contradict each other are rejected by name:", () => {
  it.each([
    [{ "credit.key": "task-turn" }, /credit\.key: expected one of task, role, chain-position, got/],
    [{ "credit.key": "role" }, /credit\.key role .* participants\.trainedUser/],
    [
      { "credit.returns": "to-go" },
      /credit\.returns exists only where credit\.unit is turn or both/,
    ],
    [{ "credit.branches": "shared-prefix" }, /credit\.branches .* collect\.kind/],
    [
      { "algo.baseline": "running", "credit.unit": "turn" },
      /algo\.baseline running .* credit\.unit/,
    ],
    [
      { "algo.keptShare": 0.2, "algo.ratio": "turn" },
      /algo\.keptShare exists only where algo\.ratio is token/,
    ],
    [
      { "algo.entropyBand.low": 3 },
      /algo\.entropyBand\.low: expected at most algo\.entropyBand\.high/,
    ],
    [{ "buffer.perTask": 4 }, /buffer remembers .* buffer\.inject or buffer\.replay/],
    [{ "tasks.minGroupSize": 8 }, /tasks\.minGroupSize: expected at most algo\.groupSize/],
    [
      { "tasks.minGroupSize": 3, "algo.stragglers": true },
      /tasks\.minGroupSize .* algo\.stragglers false/,
    ],
    [{ "world.difficulties": [] }, /world\.difficulties: expected a list of some of 1, 2, 3, got/],
    [{ "critic.lambda": 1 }, /the method on-policy has no field critic\.lambda; .* ppo-critic/],
    [
      { "imitation.temperature": 1 },
      /the method on-policy has no field imitation\.temperature; methods that have it: ei, rft/,
    ],
    [{ "rewards.terms": [{ term: "judge" }] }, /rewards\.terms\.0.* participants\.judge is none/],
    [
      { "rewards.terms": [{ term: "improvement" }] },
      /rewards\.terms\.0.* collect\.attempts is off/,
    ],
    [
      { "rewards.terms": [{ term: "outcome", decay: 0.5, decayBy: "attempt" }] },
      /rewards\.terms\.0.* collect\.attempts is off/,
    ],
    [
      { "rewards.terms": [{ term: "skill" }], "collect.kind": "chains" },
      /rewards\.terms\.0.* collect\.carry is not skills/,
    ],
    [
      { "rewards.terms": [{ term: "turns", how: "penalty" }] },
      /expected at least one term with how add/,
    ],
    [
      { "rewards.terms": [{ term: "turns", enough: 2 }] },
      /enough is an option of the term tool-use/,
    ],
    [
      { "rewards.terms": [{ term: "outcome" }, { term: "contribution" }] },
      /rewards\.terms\.1.* rewards\.terms\.0/,
    ],
  ])("%o", (overrides, says) => {
    expect(() => resolveWith(overrides)).toThrow(says);
  });
});
