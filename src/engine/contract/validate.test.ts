/** Tests that every error names the request or row and the field, and that valid input is copied. */
import { expect, test } from "vitest";
import { BowlineError } from "../../core/index.ts";
import type { Cotangents, OptimizerStep, SampleRequest } from "../../spec/index.ts";
import {
  checkCotangents,
  checkOptimizerSteps,
  checkRow,
  checkSampleRequest,
  checkTemperature,
} from "./validate.ts";

const bounds = { vocabularySize: 8, contextLength: 4 };
const request: SampleRequest = {
  tokens: [1, 2],
  stream: 0,
  maxTokens: 3,
  temperature: 0,
  stopIds: [7],
};
const row = { tokens: [1, 2, 3], at: [1, 2] };
const step: OptimizerStep = {
  learningRate: 0.1,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradientNorm: Infinity,
};

function expectEngineError(call: () => unknown, message: string) {
  expect(call).toThrow(BowlineError);
  expect(call).toThrow(message);
}

test.each<[Partial<SampleRequest>, string]>([
  [{ tokens: [1, 8] }, "request 3: tokens[1] must be an id from 0 to 7, but it is 8"],
  [{ tokens: [] }, "request 3: tokens must have length 1 to 3"],
  [{ tokens: [1, 1, 1, 1] }, "request 3: tokens must have length 1 to 3"],
  [{ stopIds: [-1] }, "request 3: stopIds[0] must be an id"],
  [{ maxTokens: 0 }, "request 3: maxTokens must be a positive integer"],
  [{ temperature: Number.NaN }, "request 3: temperature must be 0 or a positive number"],
  [{ stream: 2 ** 32 }, "request 3: stream must be an unsigned 32-bit integer"],
  [{ filter: { topK: 0 } }, "request 3: filter.topK must be a positive integer, but it is 0"],
  [{ filter: { topP: 1.1 } }, "request 3: filter.topP must be a number from 0 to 1, but it is 1.1"],
  [{ filter: { minP: Number.NaN } }, "request 3: filter.minP must be a number from 0 to 1"],
])("a request with %j is rejected", (change, message) => {
  checkSampleRequest(request, 3, bounds);
  expectEngineError(() => checkSampleRequest({ ...request, ...change }, 3, bounds), message);
});

test("a row may request tokens after the first only, and must fit the context", () => {
  const tokens = Int32Array.of(1, 2, 3);
  const checked = checkRow({ tokens, at: [1, 2] }, 0, bounds);
  tokens[0] = 7;
  expect(checked).toEqual({ tokens: Int32Array.of(1, 2, 3), at: Int32Array.of(1, 2) });
  expectEngineError(() => checkRow({ ...row, at: [0] }, 1, bounds), "row 1: at[0] must be 1 to 2");
  expectEngineError(() => checkRow({ ...row, at: [3] }, 1, bounds), "row 1: at[0] must be 1 to 2");
  expectEngineError(
    () => checkRow({ tokens: [1, 1, 1, 1, 1], at: [] }, 1, bounds),
    "the context is 4",
  );
});

test("cotangents must match the rows and their requested tokens and be finite as float32", () => {
  const checkCotangentsOfRow = (own: Cotangents) => checkCotangents([row], [own]);
  expect(checkCotangentsOfRow({ logprobs: [1, 2] })).toEqual([{ logprobs: Float32Array.of(1, 2) }]);
  expectEngineError(() => checkCotangents([row], []), "1 rows came with 0 cotangents");
  const ratio = { oldLogprobs: [-1, -2], lowest: 0.9, highest: 1.1 };
  const able = { ratioCotangents: true };
  const checkRatio = (own: object) =>
    checkCotangents([row], [{ logprobs: [1, 2], ratio: { ...ratio, ...own } }], able);
  expect(checkRatio({})).toEqual([
    {
      logprobs: Float64Array.of(1, 2),
      ratio: { ...ratio, oldLogprobs: Float64Array.of(-1, -2) },
    },
  ]);
  expectEngineError(() => checkRatio({ oldLogprobs: [-1] }), "ratio.oldLogprobs has length 1");
  expectEngineError(() => checkRatio({ lowest: 1.1 }), "lowest from 0 to 1");
  expectEngineError(() => checkRatio({ highest: 0.9 }), "highest of at least 1");
  const twice = { ...row, at: [1, 1] };
  expectEngineError(
    () => checkCotangents([twice], [{ logprobs: [1, 2], ratio }], able),
    "requests a token twice",
  );
  expectEngineError(
    () => checkCotangents([row, row], [{ logprobs: [1, 2], ratio }, { logprobs: [1, 2] }], able),
    "1 of 2 rows have a ratio",
  );
  expectEngineError(
    () => checkCotangentsOfRow({ logprobs: [1] }),
    "row 0: cotangents.logprobs has length 1",
  );
  expectEngineError(
    () => checkCotangentsOfRow({ logprobs: [0, 0], values: [0, 1e39] }),
    "row 0: cotangents.values[1] must be a finite float32, but it is 1e+39",
  );
});

test("a single step is the policy's, a value step needs a value head, and the error names a number out of range", () => {
  expect(checkOptimizerSteps(step, { value: false })).toEqual({ policy: step });
  expectEngineError(
    () => checkOptimizerSteps({}, { value: true }),
    "neither for the policy nor for the value head",
  );
  expectEngineError(
    () => checkOptimizerSteps({ value: step }, { value: false }),
    "without a value head",
  );
  expectEngineError(
    () => checkOptimizerSteps({ ...step, beta1: 1 }, { value: false }),
    "update: beta1 cannot be 1",
  );
});

test("a temperature of 0 is rejected for log-probs", () => {
  checkTemperature(0.5);
  expectEngineError(
    () => checkTemperature(0),
    "temperature must be a positive number, but it is 0",
  );
});
