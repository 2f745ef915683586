/** Tests that a limit which nobody set follows the limit that the user set. */
import { describe, expect, test } from "vitest";
import { resolveConfig } from "../settings/resolve.ts";
import type { Overrides } from "./overrides.ts";

const resolveLimits = (recipe: string, overrides: Overrides) => {
  const { scaffold, model, warm, fitting } = resolveConfig({ recipe, overrides });
  const { maxTurns, evaluationTurns, maxTokens } = scaffold;
  const { contextLength } = model;
  return {
    maxTurns,
    evaluationTurns,
    maxTokens,
    contextLength,
    rows: warm.rows,
    keep: fitting.keep,
  };
};

describe("when only one limit is set,", () => {
  test("evaluation has as many more turns than training as in the setting", () => {
    expect(resolveLimits("smoke", { "scaffold.maxTurns": 8 })).toMatchObject({
      ...{ maxTurns: 8, evaluationTurns: 8, keep: ["scaffold.maxTurns"] },
    });
    expect(resolveLimits("paper", { "scaffold.maxTurns": 60 })).toMatchObject({
      evaluationTurns: 75,
    });
    expect(resolveLimits("paper", { "scaffold.maxTurns": 1000 })).toMatchObject({
      evaluationTurns: 1000,
    });
  });

  test("the context is long enough for a conversation, and a conversation fits into the context", () => {
    expect(resolveLimits("smoke", { "scaffold.maxTokens": 900 }).contextLength).toBe(900);
    expect(resolveLimits("smoke", { "scaffold.maxTokens": 90 }).contextLength).toBe(256);
    expect(resolveLimits("smoke", { "model.contextLength": 100 }).maxTokens).toBe(100);
    expect(resolveLimits("smoke", { "model.contextLength": 900 }).maxTokens).toBe(160);
  });

  test("a step of the warm start has at most as many rows as there are demonstrations", () => {
    expect(resolveLimits("smoke", { "warm.demonstrations": 5 }).rows).toBe(5);
    expect(resolveLimits("smoke", { "warm.demonstrations": 0 }).rows).toBe(16);
  });
});

test("limits that are set are kept, in any order and by any name", () => {
  expect(
    resolveLimits("smoke", { "scaffold.evaluationTurns": 5, "scaffold.maxTurns": 8 }),
  ).toMatchObject({
    ...{ maxTurns: 8, evaluationTurns: 5 },
    keep: ["scaffold.evaluationTurns", "scaffold.maxTurns"],
  });
  const kebab = {
    "scaffold.max-turns": "8",
    "fitting.keep": "scaffold.maxTokens",
  } as unknown as Overrides;
  expect(resolveLimits("smoke", kebab)).toMatchObject({
    ...{ evaluationTurns: 8, keep: ["scaffold.maxTokens", "scaffold.maxTurns"] },
  });
  expect(resolveLimits("smoke", {}).keep).toEqual([]);
});

test("a recipe without overrides has the limits of its setting", () => {
  expect(resolveLimits("smoke", {})).toMatchObject({ maxTurns: 4, evaluationTurns: 4, rows: 16 });
  expect(resolveLimits("paper", {})).toMatchObject({ maxTurns: 40, evaluationTurns: 50 });
});

test("a list of kept limits with an unknown name is rejected", () => {
  const resolveWrong = () => resolveLimits("smoke", { "fitting.keep": ["scaffold.turns"] });
  expect(resolveWrong).toThrow(/fitting\.keep/);
});
