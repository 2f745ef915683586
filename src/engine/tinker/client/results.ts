/** Results as they must be: as many as were asked for, of the right length, and numbers. Servers write NaN as null. */
import {
  type Datum,
  decodeForwardBackwardOutput,
  decodeSampleResponse,
  type ForwardBackwardOutput,
  forwardBackwardOutputSchema,
  type SampleResponse,
  sampleResponseSchema,
} from "../wire/index.ts";
import { parseAnswer } from "./core.ts";
import { asMalformed, LOGPROB_SLACK } from "./datums.ts";
import { TinkerError } from "./errors.ts";
import type { HttpAnswer } from "./transport.ts";

/** Outputs of `data`, log-probs checked. Throws `malformed` and `non-finite`. */
export function decodePass(path: string, data: readonly Datum[]) {
  return (answer: HttpAnswer): ForwardBackwardOutput => {
    const output = decoded(path, answer, decodeForwardBackwardOutput, forwardBackwardOutputSchema);
    const outputs = output.loss_fn_outputs;
    if (outputs.length !== data.length) {
      malformed(path, `${outputs.length} outputs for ${data.length} datums`);
    }
    outputs.forEach((each, index) => {
      const at = `output ${index}: logprobs`;
      const logprobs = each["logprobs"]?.data;
      if (logprobs === undefined) malformed(path, `${at} is missing`);
      const expected = data[index]!.model_input.chunks.reduce(
        (n, { tokens }) => n + tokens.length,
        0,
      );
      if (logprobs.length !== expected) {
        malformed(path, `${at} has ${logprobs.length} values for ${expected} tokens`);
      }
      checkLogprobs(path, logprobs, at);
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

/** Sequences and their log-probs, checked. Throws `malformed` and `non-finite`. */
export function decodeSample(path: string, expected: SampleExpectation) {
  return (answer: HttpAnswer): SampleResponse => {
    const response = decoded(path, answer, decodeSampleResponse, sampleResponseSchema);
    if (response.sequences.length !== expected.samples) {
      malformed(path, `${response.sequences.length} sequences for ${expected.samples} samples`);
    }
    response.sequences.forEach(({ tokens, logprobs }, index) => {
      const at = `sequence ${index}`;
      if (tokens.length === 0 || tokens.length > expected.maxTokens) {
        malformed(path, `${at} has ${tokens.length} tokens, expected 1 to ${expected.maxTokens}`);
      }
      const { vocabularySize = 2 ** 31 } = expected;
      const strange = tokens.find((id) => id < 0 || id >= vocabularySize);
      if (strange !== undefined) {
        malformed(
          path,
          `${at} has id ${strange}, but the tokenizer has ids below ${vocabularySize} only: is the server's model another one?`,
        );
      }
      if (logprobs?.length !== tokens.length) {
        malformed(
          path,
          `${at} has ${logprobs?.length ?? "no"} log-probs for ${tokens.length} tokens`,
        );
      }
      checkLogprobs(path, logprobs, `${at}: logprobs`);
    });
    return response;
  };
}

/**
 * The log-prob of each prompt token after the first. Most servers send one a token, null first; some leave the first out.
 */
export function promptLogprobsOf(
  path: string,
  { prompt_logprobs }: SampleResponse,
  promptTokens: number,
): number[] {
  const given = prompt_logprobs ?? [];
  const after = given.length === promptTokens ? given.slice(1) : given;
  if (after.length !== promptTokens - 1) {
    malformed(path, `${given.length} prompt log-probs for ${promptTokens} tokens`);
  }
  const values = after.map((value) => value ?? Number.NaN);
  checkLogprobs(path, values, "prompt_logprobs");
  return values;
}

function decoded<T>(
  path: string,
  answer: HttpAnswer,
  decode: (body: Uint8Array) => T,
  schema: Parameters<typeof parseAnswer>[2],
): T {
  try {
    return answer.isProtobuf ? decode(answer.body) : (parseAnswer(path, answer, schema) as T);
  } catch (error) {
    throw asMalformed(path, error);
  }
}

function checkLogprobs(path: string, values: readonly number[], at: string): void {
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new TinkerError("non-finite", `${path}: ${at}[${bad}] is ${values[bad]}`);
  const high = values.findIndex((value) => value > LOGPROB_SLACK);
  if (high >= 0) malformed(path, `${at}[${high}] is ${values[high]}, which is no log-prob`);
}

function malformed(path: string, why: string): never {
  throw new TinkerError("malformed", `${path}: ${why}`);
}

/** Metrics of several requests as of one: the key's ending says how (`loss:sum`); means are weighted by datums. */
export function combineMetrics(
  parts: readonly { readonly datums: number; readonly metrics: Readonly<Record<string, number>> }[],
): Record<string, number> {
  const names = [...new Set(parts.flatMap(({ metrics }) => Object.keys(metrics)))];
  return Object.fromEntries(
    names.map((name) => {
      const having = parts.filter(({ metrics }) => metrics[name] !== undefined);
      const values = having.map(({ metrics }) => metrics[name]!);
      return [
        name,
        reduce(
          name,
          values,
          having.map(({ datums }) => datums),
        ),
      ];
    }),
  );
}

function reduce(name: string, values: readonly number[], datums: readonly number[]): number {
  const mean =
    values.reduce((sum, value, i) => sum + value * datums[i]!, 0) /
    datums.reduce((a, b) => a + b, 0);
  if (name.endsWith(":sum")) return values.reduce((a, b) => a + b, 0);
  if (name.endsWith(":min")) return Math.min(...values);
  if (name.endsWith(":max")) return Math.max(...values);
  if (name.endsWith(":slack")) return Math.max(...values) - mean;
  return mean;
}
