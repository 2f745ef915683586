/** Tests that the command below a refusal replaces the refused values, and that the run it describes can start. */
import { expect, test } from "vitest";
import { readFittingRules, readRolloutLimits } from "../train/fitting/apply-fitting.ts";
import { requireFittingLimits } from "../train/fitting/contradictions.ts";
import { fitLimits } from "../train/fitting/fit-limits.ts";
import { resolveConfig } from "../train/index.ts";
import { separateConfigFields } from "./config-fields.ts";
import { cureArguments } from "./cured-command.ts";

test("replaces fields in any spelling, adds the others, and keeps everything else", () => {
  const argv = [
    ...["train", "smoke", "--world", "./ward.ts", "--scaffold.max-turns", "4"],
    ...["--algo.stragglers", "--model.contextLength=100", "--seed", "2"],
  ];
  expect(cureArguments(argv, { "scaffold.maxTurns": 10, "scaffold.maxTokens": 192 })).toEqual([
    ...["train", "smoke", "--world", "./ward.ts", "--seed", "2", "--algo.stragglers"],
    ...["--model.contextLength", "100", "--scaffold.maxTurns", "10", "--scaffold.maxTokens", "192"],
  ]);
});

test.each([
  [["--scaffold.maxTurns", "3"]],
  [["--scaffold.max-turns=3", "--scaffold.maxTokens", "90", "--scaffold.evaluationTurns", "3"]],
  [["--model.contextLength", "100", "--scaffold.maxTurnTokens", "8"]],
  [["--fitting.share", "null"]],
])("the command that cures %j is accepted, and all demonstrations fit", (options) => {
  const lengths = Array.from({ length: 50 }, (_, i) => ({
    ...{ turns: 5 + (i % 3), longestTurn: 20 + i, tokens: 180 + 4 * i, isCareful: i % 5 === 0 },
  }));
  const start = (argv: readonly string[]) => {
    const { fields } = separateConfigFields(argv);
    const config = resolveConfig({ recipe: "smoke", overrides: fields });
    const rules = readFittingRules(config, { from: "scratch" });
    const fitted = fitLimits(lengths, readRolloutLimits(config), rules);
    requireFittingLimits(lengths, fitted, rules, "demonstrations");
    return fitted.fitting;
  };
  const argv = ["train", "smoke", ...options];
  let cure: Record<string, number> = {};
  try {
    start(argv);
  } catch (error) {
    ({ cure } = error as { cure: Record<string, number> });
  }
  expect(Object.keys(cure).length).toBeGreaterThan(0);
  expect(start(cureArguments(argv, cure)).fitsAfter).toBe(1);
});
