/** Tests the derivation of limits: for many lengths of demonstrations, and for single cases that show each rule. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isWithinLimits } from "../../agent/index.ts";
import { FITTED_LIMITS, type FittedLimit } from "../config/limits.ts";
import { requireFittingLimits } from "./contradictions.ts";
import {
  type DemonstrationLength,
  type FittingRules,
  fitLimits,
  quantile,
  type RolloutLimitValues,
} from "./fit-limits.ts";

const SMOKE: RolloutLimitValues = {
  ...{ maxTurns: 4, evaluationTurns: 4, maxTurnTokens: 48, maxTokens: 160, contextLength: 256 },
};
const FREE: FittingRules = { share: 0.95, keep: [], longestContext: Infinity };

const anyLength = fc
  .record({
    turns: fc.integer({ min: 1, max: 40 }),
    perTurn: fc.integer({ min: 1, max: 200 }),
    prompt: fc.integer({ min: 1, max: 500 }),
    isCareful: fc.boolean(),
  })
  .map(({ turns, perTurn, prompt, isCareful }) => ({
    ...{ turns, isCareful, longestTurn: perTurn },
    tokens: prompt + turns * perTurn,
  }));
const anyLengths = fc.array(anyLength, { minLength: 1, maxLength: 60 });
const anyKept = fc.subarray<FittedLimit>(FITTED_LIMITS.slice(0, 5));
const anyRules = fc.record({
  share: fc.constantFrom(null, 0.5, 0.95, 1),
  keep: anyKept,
  longestContext: fc.constantFrom(256, 1000, Infinity),
});

/** A demonstration of a world whose careful solutions take `turns` turns. */
const lengthOf = (turns: number, isCareful = true): DemonstrationLength => ({
  ...{ turns, isCareful, longestTurn: 30, tokens: turns * 40 },
});
const repeat = (count: number, length: DemonstrationLength) =>
  Array<typeof length>(count).fill(length);

describe("for all demonstrations and rules,", () => {
  test("the share that is said to fit does fit, and each limit loses what the table says", () => {
    fc.assert(
      fc.property(anyLengths, anyRules, (lengths, rules) => {
        const { limits, fitting } = fitLimits(lengths, SMOKE, rules);
        const fits = lengths.filter((length) => isWithinLimits(length, limits)).length;
        expect(fitting.fitsAfter).toBeCloseTo(fits / lengths.length);
        expect(fitting.fitsAfter).toBeGreaterThanOrEqual(fitting.fitsBefore);
        const [turns] = fitting.values;
        const tooLong = lengths.filter((length) => length.turns > limits.maxTurns).length;
        expect(turns!.lostAfter).toBeCloseTo(tooLong / lengths.length);
        expect(Math.min(1, fitting.fitsAfter + turns!.lostAfter)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("limits that the user set keep their values, and no limit becomes smaller", () => {
    fc.assert(
      fc.property(anyLengths, anyRules, (lengths, rules) => {
        const { limits, fitting } = fitLimits(lengths, SMOKE, rules);
        for (const { limit, before, after, isKept } of fitting.values) {
          expect(isKept).toBe(rules.keep.includes(limit));
          if (isKept || rules.share === null) expect(after).toBe(before);
          expect(after).toBeGreaterThanOrEqual(before);
        }
        expect(limits.maxTokens).toBeLessThanOrEqual(limits.contextLength);
        expect(limits.contextLength).toBeLessThanOrEqual(Math.max(256, rules.longestContext));
      }),
    );
  });

  test("without kept limits and without an end of the context, the wanted share fits", () => {
    fc.assert(
      fc.property(anyLengths, (lengths) => {
        const { limits, fitting } = fitLimits(lengths, SMOKE, FREE);
        expect(fitting.fitsAfter).toBeGreaterThanOrEqual(0.95);
        const careful = lengths.filter(({ isCareful }) => isCareful);
        const fits = careful.filter((length) => isWithinLimits(length, limits));
        expect(fits.length).toBeGreaterThanOrEqual(careful.length * 0.95);
      }),
    );
  });

  test("fitting again changes nothing, and limits that suffice are not changed", () => {
    fc.assert(
      fc.property(anyLengths, anyRules, (lengths, rules) => {
        const { limits, fitting } = fitLimits(lengths, SMOKE, rules);
        expect(fitLimits(lengths, limits, rules).limits).toEqual(limits);
        const isCarefulEnough = lengths
          .filter(({ isCareful }) => isCareful)
          .every((length) => isWithinLimits(length, SMOKE));
        if (fitting.fitsBefore >= (rules.share ?? 0) && isCarefulEnough) {
          expect(limits).toEqual(SMOKE);
        }
      }),
    );
  });

  test("a refusal names every limit that is too small, and its cure lets the demonstrations fit", () => {
    fc.assert(
      fc.property(anyLengths, anyKept, (lengths, keep) => {
        const rules = { ...FREE, keep };
        const fitted = fitLimits(lengths, SMOKE, rules);
        const refusal = refusalOf(lengths, fitted, rules);
        if (fitted.fitting.fitsAfter >= 0.5) {
          expect(refusal).toBeUndefined();
          return;
        }
        for (const { limit, lostAfter } of fitted.fitting.values) {
          expect(refusal!.message.includes(`${limit} is`)).toBe(lostAfter > 0);
        }
        const cured = { ...SMOKE };
        for (const [path, value] of Object.entries(refusal!.cure!)) {
          cured[path.split(".")[1] as keyof RolloutLimitValues] = Number(value);
        }
        const again = fitLimits(lengths, cured, rules);
        expect(again.fitting.fitsAfter).toBeGreaterThanOrEqual(0.95);
        expect(refusalOf(lengths, again, rules)).toBeUndefined();
      }),
    );
  });
});

function refusalOf(
  lengths: readonly DemonstrationLength[],
  fitted: ReturnType<typeof fitLimits>,
  rules: FittingRules,
): (Error & { readonly cure?: Record<string, number> }) | undefined {
  try {
    requireFittingLimits(lengths, fitted, rules, "demonstrations");
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

describe("a limit", () => {
  test("is not changed when 95% of the demonstrations fit", () => {
    const lengths = [...repeat(95, lengthOf(3)), ...repeat(5, lengthOf(30))];
    const { limits, fitting } = fitLimits(lengths, SMOKE, FREE);
    expect(limits).toEqual(SMOKE);
    expect(fitting).toMatchObject({ measured: 100, fitsBefore: 0.95, fitsAfter: 0.95 });
  });

  test("is raised when few demonstrations are careful and do not fit, although 95% of all fit", () => {
    const lengths = [...repeat(97, lengthOf(3, false)), ...repeat(3, lengthOf(7))];
    expect(fitLimits(lengths, SMOKE, FREE).limits).toEqual({
      ...{ maxTurns: 10, evaluationTurns: 10, maxTurnTokens: 48 },
      ...{ maxTokens: 352, contextLength: 352 },
    });
  });

  test("leaves out a single demonstration of another size", () => {
    const lengths = [...repeat(300, lengthOf(6)), lengthOf(900)];
    const { limits, fitting } = fitLimits(lengths, SMOKE, FREE);
    expect(limits.maxTurns).toBe(9);
    expect(fitting.fitsAfter).toBeCloseTo(300 / 301);
  });

  test("of evaluation keeps its proportion to the limit of training", () => {
    const paper = { ...SMOKE, maxTurns: 4, evaluationTurns: 5 };
    expect(fitLimits([lengthOf(12)], paper, FREE).limits).toMatchObject({
      ...{ maxTurns: 16, evaluationTurns: 20 },
    });
  });

  test("on tokens ends at the context of the model, and the refusal says that no option cures it", () => {
    const rules = { ...FREE, longestContext: 256 };
    const lengths = [lengthOf(20)];
    const fitted = fitLimits(lengths, SMOKE, rules);
    expect(fitted.limits).toMatchObject({ maxTokens: 256, contextLength: 256 });
    const refusal = refusalOf(lengths, fitted, rules)!;
    expect(refusal.message).toMatch(/no option cures this, .* context of 256 tokens/);
    expect(refusal.cure).toBeUndefined();
  });
});

test("a quantile is the smallest value that suffices for the share", () => {
  expect([0, 0.1, 0.5, 0.51, 1].map((share) => quantile([4, 1, 3, 2], share))).toEqual([
    1, 1, 2, 3, 4,
  ]);
  expect(quantile([], 0.5)).toBe(0);
});
