/**
 * Compares the codec with bytes that the official SDK wrote (tests/golden/make_tinker_wire.py) and checks round trips.
 */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BowlineError } from "../../../core/index.ts";
import {
  decodeForwardBackwardOutput,
  decodeForwardBackwardRequest,
  decodeSampleResponse,
  encodeForwardBackwardOutput,
  encodeForwardBackwardRequest,
  encodeSampleResponse,
  type ForwardBackwardOutput,
  type ForwardBackwardRequest,
  forwardBackwardOutputSchema,
  type SampleResponse,
  sampleResponseSchema,
} from "./index.ts";
import { bytesField, concatBytes, messageField, stringField } from "./protobuf.ts";

interface Golden<T> {
  readonly bytes: string;
  readonly value: T;
}
const golden = JSON.parse(
  readFileSync(new URL("../../../../tests/golden/tinker-wire.json", import.meta.url), "utf8"),
) as {
  readonly requests: readonly Golden<ForwardBackwardRequest>[];
  readonly outputs: readonly Golden<ForwardBackwardOutput>[];
  readonly plainOutputs: readonly Golden<ForwardBackwardOutput>[];
  readonly samples: readonly Golden<SampleResponse>[];
};
const decodeBase64 = ({ bytes }: Golden<unknown>) => new Uint8Array(Buffer.from(bytes, "base64"));

describe("protobuf of the official SDK", () => {
  test("its bytes are decoded to the values that it encoded", () => {
    for (const fixture of golden.requests) {
      expect(decodeForwardBackwardRequest(decodeBase64(fixture))).toEqual(fixture.value);
    }
    for (const each of [...golden.outputs, ...golden.plainOutputs]) {
      expect(decodeForwardBackwardOutput(decodeBase64(each))).toEqual(each.value);
    }
    for (const each of golden.samples) {
      expect(decodeSampleResponse(decodeBase64(each))).toEqual(each.value);
    }
  });

  test("encoding the same values writes the same bytes", () => {
    for (const each of golden.requests) {
      expect(encodeForwardBackwardRequest(each.value)).toEqual(decodeBase64(each));
    }
    for (const each of golden.plainOutputs) {
      expect(encodeForwardBackwardOutput(each.value)).toEqual(decodeBase64(each));
    }
    for (const each of golden.samples) {
      expect(encodeSampleResponse(each.value)).toEqual(decodeBase64(each));
    }
  });
});

test("encodes a small request to the bytes that the descriptor's field numbers give by hand", () => {
  const value: ForwardBackwardRequest = {
    model_id: "m",
    seq_id: 2,
    data: [
      {
        model_input: { chunks: [{ type: "encoded_text", tokens: [258] }] },
        loss_fn_inputs: { w: { data: [1], dtype: "float32", shape: [1] } },
      },
    ],
    loss_fn: "x",
  };
  const written = encodeForwardBackwardRequest(value);
  expect([...written]).toEqual([
    ...[0x0a, 1, 0x6d, 0x10, 2], // 1: "m", 2: 2
    ...[0x1a, 28, 0x0a, 8, 0x0a, 6, 0x0a, 4, 2, 1, 0, 0], // 3: datum { 1: chunk { 1: text { 1: int32 258 } }
    ...[0x12, 16, 0x0a, 1, 0x77, 0x12, 11], // 2: entry { 1: "w", 2: tensor
    ...[0x0a, 4, 0, 0, 0x80, 0x3f, 0x18, 1, 0x22, 1, 1], // { 1: float32 1.0, 3: FLOAT32, 4: [1] } } }
    ...[0x22, 1, 0x78], // 4: "x"
  ]);
  expect(decodeForwardBackwardRequest(written)).toEqual(value);
});

const logprob = fc.float({ noNaN: true, noDefaultInfinity: true }).map(Math.fround);
const token = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const tensor = fc.oneof(
  fc.array(logprob).map((data) => ({ data, dtype: "float32" as const, shape: [data.length] })),
  fc.array(token).map((data) => ({ data, dtype: "int64" as const, shape: [data.length] })),
);

describe("encoding and decoding", () => {
  test("a forward-backward request comes back unchanged", () => {
    const datum = fc.record({
      model_input: fc.record({
        chunks: fc.array(
          fc.record({ type: fc.constant("encoded_text" as const), tokens: fc.array(token) }),
          { maxLength: 2 },
        ),
      }),
      loss_fn_inputs: fc.dictionary(fc.string({ maxLength: 8 }), tensor, {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    });
    const request = fc.record({
      model_id: fc.string({ minLength: 1 }),
      seq_id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      data: fc.array(datum, { maxLength: 3 }),
      loss_fn: fc.string(),
    });
    fc.assert(
      fc.property(request, (value) => {
        expect(decodeForwardBackwardRequest(encodeForwardBackwardRequest(value))).toEqual(value);
      }),
      { numRuns: 60 },
    );
  });

  test("a sampling answer comes back unchanged, from protobuf and from JSON", () => {
    const sequence = fc.array(fc.tuple(token, logprob)).map((pairs) => ({
      stop_reason: pairs.length % 2 === 0 ? ("stop" as const) : ("length" as const),
      tokens: pairs.map(([id]) => id),
      logprobs: pairs.map(([, value]) => value),
    }));
    const response = fc.record({
      sequences: fc.array(sequence, { maxLength: 3 }),
      prompt_logprobs: fc.array(fc.option(logprob)),
    });
    fc.assert(
      fc.property(response, (value) => {
        expect(decodeSampleResponse(encodeSampleResponse(value))).toEqual(value);
        expect(sampleResponseSchema.parse(JSON.parse(JSON.stringify(value)))).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }),
      { numRuns: 60 },
    );
  });
});

test("an answer without outputs has no record: only its type and its metrics are written", () => {
  const output = { loss_fn_output_type: "T", loss_fn_outputs: [], metrics: {} };
  expect([...encodeForwardBackwardOutput(output)]).toEqual([0x0a, 1, 0x54]);
  expect(decodeForwardBackwardOutput(encodeForwardBackwardOutput(output))).toEqual(output);
});

test("a null in a JSON tensor or metric is read as NaN", () => {
  const parsed = forwardBackwardOutputSchema.parse({
    loss_fn_outputs: [{ logprobs: { data: [-1, null], dtype: "float32" } }],
    metrics: { "loss:sum": null },
  });
  expect(parsed.loss_fn_outputs[0]!["logprobs"]!.data).toEqual([-1, Number.NaN]);
  expect(parsed.metrics["loss:sum"]).toBeNaN();
});

describe("malformed protobuf", () => {
  test.each(["a\nb", "\u0000", "x".repeat(5000)])(
    "a map key such as %j is quoted on one line",
    (key) => {
      const entry = concatBytes([stringField(1, key), bytesField(2, new Uint8Array([9]))]);
      // A config's value is a message whose double has eight bytes.
      const bytes = messageField(5, [entry]);
      expect(() => decodeForwardBackwardRequest(bytes)).toThrow(/^malformed protobuf: .{1,300}$/);
    },
  );

  const [request] = golden.requests;
  const whole = decodeBase64(request!);

  test.each([
    ["a truncated message", whole.subarray(0, whole.length - 3), /ends 2 bytes early|early/],
    ["a field of type group, which proto3 does not have", Uint8Array.of(0x0b), /wire type 3/],
    ["a number that does not end", new Uint8Array(12).fill(0xff), /ten bytes/],
    ["a number where text is expected", Uint8Array.of(0x08, 1), /model_id.*expected bytes/],
    ["a text that is not UTF-8", Uint8Array.of(0x0a, 1, 0xff), /UTF-8/],
    ["an image", Uint8Array.of(0x1a, 4, 0x0a, 2, 0x12, 0), /encoded_text/],
    ["a sparse tensor", Uint8Array.of(0x1a, 9, 0x12, 7, 0x0a, 1, 0x77, 0x12, 2, 0x12, 0), /sparse/],
    [
      "a fraction of a value",
      Uint8Array.of(0x1a, 12, 0x12, 10, 0x0a, 1, 0x77, 0x12, 5, 0x0a, 1, 0, 0x18, 1),
      /not a whole number/,
    ],
  ])("throws an engine error that says what is wrong: %s", (_, bytes, words) => {
    const error = catchError(() => decodeForwardBackwardRequest(bytes));
    expect(BowlineError.is(error) && error.code).toBe("engine");
    expect(error.message).toMatch(words);
  });

  test("a message cut short at any byte is never decoded to the whole message's value", () => {
    for (let length = 0; length < whole.length; length++) {
      try {
        expect(decodeForwardBackwardRequest(whole.subarray(0, length))).not.toEqual(request!.value);
      } catch (error) {
        expect(BowlineError.is(error)).toBe(true);
      }
    }
  });
});

function catchError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}
