import { expect, test } from "vitest";
import {
  COMPARED_RECIPES,
  findPackageMethod,
  recipes,
  resolveConfig,
} from "../../../src/train/index.ts";
import { drawTrials, formatTrials, keepFinishedMethods } from "./trial-tables.ts";
import {
  bestTrial,
  nextTrial,
  type PlannedTrial,
  TRIALS_PER_METHOD,
  type Trial,
  TUNED_FIELDS,
} from "./trials.ts";

/** Returns all trials of a method. `scoreOf` computes the score of each planned trial. */
function simulateTrials(scoreOf: (planned: PlannedTrial) => number, method = "loop"): Trial[] {
  const done: Trial[] = [];
  for (;;) {
    const planned = nextTrial(method, done);
    if (planned === undefined) return done;
    const score = scoreOf(planned);
    done.push({ method, ...planned, greedy: score, sampled: score, seconds: 1 });
  }
}

test("every compared method has six trials, and has the fields that the trials set", () => {
  for (const recipe of COMPARED_RECIPES) {
    const { method } = recipes[recipe]!;
    expect(findPackageMethod(method).name).toBe(method);
    const trials = simulateTrials(() => 0.5, method);
    expect(trials).toHaveLength(TRIALS_PER_METHOD);
    for (const { rate, knob } of trials) {
      const overrides = {
        "optimizer.learningRate": rate,
        ...(knob && { [knob.field]: knob.value }),
      };
      resolveConfig({ recipe: `starter/${method}`, overrides });
    }
  }
});

test.each([
  [3e-5, 3e-5],
  [2e-4, 1.7e-4],
  [5e-4, 5.5e-4],
  [4e-3, 3e-3],
])(
  "when the best of three learning rates is %d, the fourth trial has the rate %d",
  (peak, fourth) => {
    const rates = simulateTrials(({ rate }) => -Math.abs(Math.log(rate / peak))).map(
      ({ rate }) => rate,
    );
    expect(rates.slice(0, 4)).toEqual([1e-4, 3e-4, 1e-3, fourth]);
  },
);

test("values of the second field are tried at the best learning rate, and chosen when their score is better", () => {
  const trials = simulateTrials(({ rate, knob }) => (rate === 3e-4 ? 0.5 : 0.2) + (knob ? 0.1 : 0));
  const [, a, b] = [trials[3], trials[4], trials[5]];
  expect([a, b].map((trial) => trial?.knob?.value)).toEqual(TUNED_FIELDS["loop"]!.values);
  expect([a, b].map((trial) => trial?.rate)).toEqual([3e-4, 3e-4]);
  expect(bestTrial(trials)).toEqual(a);
});

test("table and figure show the methods whose trials are complete, with the chosen trial marked", () => {
  const trials = Object.keys(TUNED_FIELDS).flatMap((method) =>
    simulateTrials(({ rate, knob }) => (rate === 3e-4 && !knob ? 0.75 : 0.5), method),
  );
  expect(keepFinishedMethods(trials)).toEqual(trials);
  expect(keepFinishedMethods(trials.slice(1))).toEqual(trials.slice(TRIALS_PER_METHOD));
  const lines = formatTrials(trials).split("\n");
  expect(lines).toHaveLength(2 + Object.keys(TUNED_FIELDS).length);
  expect(lines[2]).toBe(
    "| `loop` | 1e-4: 50.0 / 50.0 | **3e-4: 75.0 / 75.0** | 1e-3: 50.0 / 50.0 | 5.5e-4: 50.0 / 50.0 | clip 0.05: 50.0 / 50.0 | clip 0.2: 50.0 / 50.0 |",
  );
  const svg = drawTrials(trials);
  expect(svg.match(/<circle/g)).toHaveLength(trials.length);
  expect(svg).toContain(">3e-4: 75.0<");
});
