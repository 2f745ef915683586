/**
 * Lets probes use a model of the client, with the client's checks, retries and waits. A refusal that shows what a
 * server cannot do is returned as a value. Every other error is thrown and ends the measurement.
 */
import { errorMessage } from "../../../core/index.ts";
import {
  TinkerError,
  type TinkerErrorKind,
  type TinkerModel,
  type TinkerSampler,
  type TinkerSession,
  type TokenBounds,
} from "../client/index.ts";
import { readPromptLogprobs } from "../client/results.ts";
import {
  type AdamParameters,
  type Example,
  exampleToDatum,
  type Outcome,
  type PassOptions,
  type PassResult,
  type ProbedModel,
  type SampleResult,
  type Sampler,
  type SampleSettings,
  withEqualWeights,
} from "../probes/index.ts";
import type { ForwardBackwardOutput } from "../wire/index.ts";

export class ClientProbedModel implements ProbedModel {
  readonly #session: TinkerSession;
  readonly #model: TinkerModel;
  readonly #bounds: TokenBounds;

  constructor(session: TinkerSession, model: TinkerModel, bounds: TokenBounds) {
    this.#session = session;
    this.#model = model;
    this.#bounds = bounds;
  }

  forwardBackward(
    examples: readonly Example[],
    lossFn: string,
    { config }: PassOptions = {},
  ): Promise<Outcome<PassResult>> {
    const pass = { data: examples.map(exampleToDatum), lossFn, ...(config && { config }) };
    return captureOutcome(["rejected"], async () =>
      toPassResult(await this.#model.forwardBackward(pass)),
    );
  }

  forward(examples: readonly Example[]): Promise<Outcome<PassResult>> {
    const data = examples.map((example) => exampleToDatum(withEqualWeights(example)));
    return captureOutcome(["unsupported", "missing"], async () =>
      toPassResult(await this.#model.forward({ data, lossFn: "cross_entropy" })),
    );
  }

  step(parameters: AdamParameters): Promise<Outcome<Readonly<Record<string, number>>>> {
    return captureOutcome(["rejected", "failed"], () => this.#model.optimStep(parameters));
  }

  createSampler(): Promise<Outcome<Sampler>> {
    return captureOutcome([], async () => {
      const sampler = await this.#session.createSampler(this.#model, this.#bounds);
      let attempt = 0;
      // Each attempt gets its own number, so that the journal does not answer a repeated call with the earlier result.
      return { sample: (drawing) => requestSample(sampler, drawing, ++attempt) };
    });
  }
}

function requestSample(
  sampler: TinkerSampler,
  settings: SampleSettings,
  attempt: number,
): Promise<Outcome<SampleResult>> {
  const { stop, ...call } = settings;
  const refusals: TinkerErrorKind[] = ["malformed", "rejected", "unsupported", "failed"];
  // A failed sampling call is thrown. Only prompt log-probs may be missing on a server, so only their refusal is a
  // value.
  return captureOutcome(call.promptLogprobs ? refusals : [], async () => {
    const response = await sampler.sample({ ...call, attempt, ...(stop && { stopIds: stop }) });
    return {
      sequences: response.sequences.map(({ tokens, logprobs, stop_reason }) => ({
        tokens,
        logprobs: logprobs ?? [],
        stop: stop_reason,
      })),
      ...(call.promptLogprobs && {
        promptLogprobs: readPromptLogprobs("/asample", response, call.prompt.length),
      }),
    };
  });
}

function toPassResult({ loss_fn_outputs, metrics }: ForwardBackwardOutput): PassResult {
  return { logprobs: loss_fn_outputs.map((output) => output["logprobs"]!.data), metrics };
}

/** Returns errors of the kinds in `refusals` as values and throws all others. */
async function captureOutcome<T>(
  refusals: readonly TinkerErrorKind[],
  call: () => Promise<T>,
): Promise<Outcome<T>> {
  const startMs = performance.now();
  try {
    const value = await call();
    return { ok: true, value, ms: performance.now() - startMs };
  } catch (error) {
    if (refusals.length === 0 || !TinkerError.is(error, ...refusals)) throw error;
    return {
      ok: false,
      status: error.status ?? 0,
      message: errorMessage(error),
      accepted: error.requestId !== undefined,
      ms: performance.now() - startMs,
      cause: error,
    };
  }
}
