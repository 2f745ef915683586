/** Decodes results and checks their count, their lengths and that log-probs are finite. Servers write NaN as null. */
import {
  type Datum,
  decodeForwardBackwardOutput,
  decodeSampleResponse,
  type ForwardBackwardOutput,
  forwardBackwardOutputSchema,
  type SampleResponse,
  sampleResponseSchema,
} from "../wire/index.ts";
import { parseAnswer } from "./client-core.ts";
import { LOGPROB_SLACK, toMalformedError } from "./datums.ts";
import { TinkerError } from "./errors.ts";
import type { HttpAnswer } from "./transport.ts";

/** Returns a decoder for the outputs of `data`. The decoder throws `malformed` and `non-finite` errors. */
export function createPassDecoder(path: string, data: readonly Datum[]) {
  return (answer: HttpAnswer): ForwardBackwardOutput => {
    const output = decodeAnswer(
      path,
      answer,
      decodeForwardBackwardOutput,
      forwardBackwardOutputSchema,
    );
    const outputs = output.loss_fn_outputs;
    if (outputs.length !== data.length) {
      throwMalformed(path, `the answer has ${outputs.length} outputs for ${data.length} datums`);
    }
    outputs.forEach((outputTensors, index) => {
      const label = `output ${index}: logprobs`;
      const logprobs = outputTensors["logprobs"]?.data;
      if (logprobs === undefined) throwMalformed(path, `${label} is missing`);
      const expected = data[index]!.model_input.chunks.reduce(
        (n, { tokens }) => n + tokens.length,
        0,
      );
      if (logprobs.length !== expected) {
        throwMalformed(path, `${label} has ${logprobs.length} values for ${expected} tokens`);
      }
      checkLogprobs(path, logprobs, label);
    });
    return output;
  };
}

export interface SampleExpectation {
  readonly samples: number;
  readonly maxTokens: number;
  readonly vocabularySize?: number | undefined;
  readonly promptTokens: number;
  readonly promptLogprobs: boolean;
}

/** Returns a decoder for sampled sequences. The decoder throws `malformed` and `non-finite` errors. */
export function createSampleDecoder(path: string, expected: SampleExpectation) {
  return (answer: HttpAnswer): SampleResponse => {
    const response = decodeAnswer(path, answer, decodeSampleResponse, sampleResponseSchema);
    if (response.sequences.length !== expected.samples) {
      throwMalformed(
        path,
        `the answer has ${response.sequences.length} sequences, expected ${expected.samples}`,
      );
    }
    response.sequences.forEach(({ tokens, logprobs }, index) => {
      const label = `sequence ${index}`;
      if (tokens.length === 0 || tokens.length > expected.maxTokens) {
        throwMalformed(
          path,
          `${label} has ${tokens.length} tokens, expected 1 to ${expected.maxTokens}`,
        );
      }
      const { vocabularySize = 2 ** 31 } = expected;
      const badId = tokens.find((id) => id < 0 || id >= vocabularySize);
      if (badId !== undefined) {
        throwMalformed(
          path,
          `${label} has token id ${badId}, but the tokenizer's ids are below ${vocabularySize}: does the server use another model?`,
        );
      }
      if (logprobs?.length !== tokens.length) {
        throwMalformed(
          path,
          `${label} has ${logprobs?.length ?? "no"} log-probs for ${tokens.length} tokens`,
        );
      }
      checkLogprobs(path, logprobs, `${label}: logprobs`);
    });
    return response;
  };
}

/**
 * Returns the log-prob of each prompt token after the first. Most servers send null for the first token; some leave it
 * out.
 */
export function readPromptLogprobs(
  path: string,
  { prompt_logprobs }: SampleResponse,
  promptTokens: number,
): number[] {
  const received = prompt_logprobs ?? [];
  const withoutFirst = received.length === promptTokens ? received.slice(1) : received;
  if (withoutFirst.length !== promptTokens - 1) {
    throwMalformed(
      path,
      `the answer has ${received.length} prompt log-probs for ${promptTokens} tokens`,
    );
  }
  const values = withoutFirst.map((value) => value ?? Number.NaN);
  checkLogprobs(path, values, "prompt_logprobs");
  return values;
}

function decodeAnswer<T>(
  path: string,
  answer: HttpAnswer,
  decode: (body: Uint8Array) => T,
  schema: Parameters<typeof parseAnswer>[2],
): T {
  try {
    return answer.isProtobuf ? decode(answer.body) : (parseAnswer(path, answer, schema) as T);
  } catch (error) {
    throw toMalformedError(path, error);
  }
}

function checkLogprobs(path: string, values: readonly number[], label: string): void {
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new TinkerError("non-finite", `${path}: ${label}[${bad}] is ${values[bad]}`);
  const high = values.findIndex((value) => value > LOGPROB_SLACK);
  if (high >= 0)
    throwMalformed(path, `${label}[${high}] is ${values[high]}, but a log-prob is at most 0`);
}

function throwMalformed(path: string, why: string): never {
  throw new TinkerError("malformed", `${path}: ${why}`);
}

/**
 * Combines the metrics of several requests into those of one. The ending of a metric's name says how, as in `loss:sum`.
 * Means are weighted by the number of datums.
 */
export function combineMetrics(
  parts: readonly { readonly datums: number; readonly metrics: Readonly<Record<string, number>> }[],
): Record<string, number> {
  const names = [...new Set(parts.flatMap(({ metrics }) => Object.keys(metrics)))];
  return Object.fromEntries(
    names.map((name) => {
      const partsWithMetric = parts.filter(({ metrics }) => metrics[name] !== undefined);
      const values = partsWithMetric.map(({ metrics }) => metrics[name]!);
      return [
        name,
        combineMetric(
          name,
          values,
          partsWithMetric.map(({ datums: datumCounts }) => datumCounts),
        ),
      ];
    }),
  );
}

function combineMetric(name: string, values: readonly number[], datums: readonly number[]): number {
  const mean =
    values.reduce((sum, value, i) => sum + value * datums[i]!, 0) /
    datums.reduce((a, b) => a + b, 0);
  if (name.endsWith(":sum")) return values.reduce((a, b) => a + b, 0);
  if (name.endsWith(":min")) return Math.min(...values);
  if (name.endsWith(":max")) return Math.max(...values);
  if (name.endsWith(":slack")) return Math.max(...values) - mean;
  return mean;
}
