import { expect, test } from "vitest";
import {
  COMPARED_RECIPES,
  findPackageMethod,
  recipes,
  resolveConfig,
} from "../../../src/train/index.ts";
import { finished, trialsChart, trialsTable } from "./trial-tables.ts";
import { best, KNOBS, nextTrial, type Planned, TRIALS, type Trial } from "./trials.ts";

/** All trials of a method whose score is a function of what was tried. */
function trialsBy(scoreOf: (planned: Planned) => number, method = "loop"): Trial[] {
  const done: Trial[] = [];
  for (;;) {
    const planned = nextTrial(method, done);
    if (planned === undefined) return done;
    const score = scoreOf(planned);
    done.push({ method, ...planned, greedy: score, sampled: score, seconds: 1 });
  }
}

test("every method of the table has six trials, of fields that it has", () => {
  for (const recipe of COMPARED_RECIPES) {
    const { method } = recipes[recipe]!;
    expect(findPackageMethod(method).name).toBe(method);
    const trials = trialsBy(() => 0.5, method);
    expect(trials).toHaveLength(TRIALS);
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
])("a best rate of %d is looked for at %d", (peak, fourth) => {
  const rates = trialsBy(({ rate }) => -Math.abs(Math.log(rate / peak))).map(({ rate }) => rate);
  expect(rates.slice(0, 4)).toEqual([1e-4, 3e-4, 1e-3, fourth]);
});

test("the own number is tried at the best rate, and taken where it is better", () => {
  const trials = trialsBy(({ rate, knob }) => (rate === 3e-4 ? 0.5 : 0.2) + (knob ? 0.1 : 0));
  const [, a, b] = [trials[3], trials[4], trials[5]];
  expect([a, b].map((trial) => trial?.knob?.value)).toEqual(KNOBS["loop"]!.values);
  expect([a, b].map((trial) => trial?.rate)).toEqual([3e-4, 3e-4]);
  expect(best(trials)).toEqual(a);
});

test("trials are shown once a method has had all of its own: the chosen one in bold, and in a figure", () => {
  const trials = Object.keys(KNOBS).flatMap((method) =>
    trialsBy(({ rate, knob }) => (rate === 3e-4 && !knob ? 0.75 : 0.5), method),
  );
  expect(finished(trials)).toEqual(trials);
  expect(finished(trials.slice(1))).toEqual(trials.slice(TRIALS));
  const lines = trialsTable(trials).split("\n");
  expect(lines).toHaveLength(2 + Object.keys(KNOBS).length);
  expect(lines[2]).toBe(
    "| `loop` | 1e-4: 50.0 / 50.0 | **3e-4: 75.0 / 75.0** | 1e-3: 50.0 / 50.0 | 5.5e-4: 50.0 / 50.0 | clip 0.05: 50.0 / 50.0 | clip 0.2: 50.0 / 50.0 |",
  );
  const svg = trialsChart(trials);
  expect(svg.match(/<circle/g)).toHaveLength(trials.length);
  expect(svg).toContain(">3e-4: 75.0<");
});
