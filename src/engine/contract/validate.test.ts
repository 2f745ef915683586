/** Every refusal names the request or row and the field; what is let through is copied. */
import { expect, test } from "vitest";
import { BowlineError } from "../../core/index.ts";
import type { Cotangents, OptimizerStep, SampleRequest } from "../../spec/index.ts";
import {
  checkedCotangents,
  checkedRow,
  checkedSteps,
  checkRequest,
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

function refused(call: () => unknown, message: string) {
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
])("a request with %j is refused", (change, message) => {
  checkRequest(request, 3, bounds);
  refused(() => checkRequest({ ...request, ...change }, 3, bounds), message);
});

test("a row asks for tokens that have one before them, and fits the context", () => {
  const tokens = Int32Array.of(1, 2, 3);
  const checked = checkedRow({ tokens, at: [1, 2] }, 0, bounds);
  tokens[0] = 7;
  expect(checked).toEqual({ tokens: Int32Array.of(1, 2, 3), at: Int32Array.of(1, 2) });
  refused(() => checkedRow({ ...row, at: [0] }, 1, bounds), "row 1: at[0] must be 1 to 2");
  refused(() => checkedRow({ ...row, at: [3] }, 1, bounds), "row 1: at[0] must be 1 to 2");
  refused(() => checkedRow({ tokens: [1, 1, 1, 1, 1], at: [] }, 1, bounds), "the context is 4");
});

test("cotangents are one a row and one a token, finite as float32", () => {
  const of = (own: Cotangents) => checkedCotangents([row], [own]);
  expect(of({ logprobs: [1, 2] })).toEqual([{ logprobs: Float32Array.of(1, 2) }]);
  refused(() => checkedCotangents([row], []), "1 rows came with 0 cotangents");
  refused(() => of({ logprobs: [1] }), "row 0: cotangents.logprobs has length 1");
  refused(
    () => of({ logprobs: [0, 0], values: [0, 1e39] }),
    "row 0: cotangents.values[1] must be a finite float32, but it is 1e+39",
  );
});

test("a step alone is the policy's; a value's needs a value head; numbers out of range are named", () => {
  expect(checkedSteps(step, { value: false })).toEqual({ policy: step });
  refused(() => checkedSteps({}, { value: true }), "neither policy nor value has a step");
  refused(() => checkedSteps({ value: step }, { value: false }), "without a value head");
  refused(() => checkedSteps({ ...step, beta1: 1 }, { value: false }), "update: beta1 cannot be 1");
});

test("log-probs have a temperature above 0", () => {
  checkTemperature(0.5);
  refused(() => checkTemperature(0), "temperature must be a positive number, but it is 0");
});
