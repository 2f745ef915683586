/** Reads the answers to a probe without checks. NaN stays NaN. */

import type { HttpAnswer } from "../client/transport.ts";
import { type Outcome, ProbeError, type SampleResult } from "../probes/index.ts";
import {
  decodeForwardBackwardOutput,
  decodeSampleResponse,
  type ForwardBackwardOutput,
  forwardBackwardOutputSchema,
  type SampleResponse,
  sampleResponseSchema,
} from "../wire/index.ts";
import type { NumberedPass } from "./doctor-server.ts";
import type { FutureResult } from "./exchange.ts";

export function readPassResult({ requestId, answer }: FutureResult): NumberedPass {
  const output: ForwardBackwardOutput = answer.isProtobuf
    ? decodeForwardBackwardOutput(answer.body)
    : forwardBackwardOutputSchema.parse(answer.parseJson());
  return {
    requestId,
    logprobs: output.loss_fn_outputs.map(({ logprobs }) => logprobs?.data ?? []),
    metrics: output.metrics,
  };
}

export function readSampleResult(answer: HttpAnswer): SampleResult {
  const response: SampleResponse = answer.isProtobuf
    ? decodeSampleResponse(answer.body)
    : sampleResponseSchema.parse(answer.parseJson());
  const prompt = response.prompt_logprobs;
  return {
    sequences: response.sequences.map(({ tokens, logprobs, stop_reason }) => ({
      tokens,
      logprobs: logprobs ?? [],
      stop: stop_reason,
    })),
    ...(prompt ? { promptLogprobs: prompt.map((value) => value ?? Number.NaN) } : {}),
  };
}

export function readMetrics(result: unknown): Readonly<Record<string, number>> {
  const metrics = (result as { metrics?: Record<string, number | null> } | null)?.metrics ?? {};
  return Object.fromEntries(
    Object.entries(metrics).map(([name, value]) => [name, value ?? Number.NaN]),
  );
}

export function readId(answer: HttpAnswer, name: string): string {
  const value = (answer.parseJson() as Record<string, unknown> | null)?.[name];
  if (typeof value === "string") return value;
  throw new ProbeError(`the server's answer has no ${name}`);
}

export function mapOutcome<T, U>(outcome: Outcome<T>, change: (value: T) => U): Outcome<U> {
  return outcome.ok ? { ...outcome, value: change(outcome.value) } : outcome;
}
