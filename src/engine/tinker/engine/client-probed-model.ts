/**
 * A model of the client as probes see it. What the client refuses, repairs and waits for stays as it is; only refusals that
 * say what a server cannot do are values, and everything else ends the examination as it ends any call.
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
  type Drawing,
  type Drawn,
  type Example,
  exampleToDatum,
  type Outcome,
  type Pass,
  type PassOptions,
  type ProbedModel,
  type Sampler,
  withEqualWeights,
} from "../probes/index.ts";
import type { ForwardBackwardOutput } from "../wire/index.ts";

export class ClientModel implements ProbedModel {
  readonly #session: TinkerSession;
  readonly #model: TinkerModel;
  readonly #bounds: TokenBounds;

  constructor(session: TinkerSession, model: TinkerModel, bounds: TokenBounds) {
    this.#session = session;
    this.#model = model;
    this.#bounds = bounds;
  }

  pass(
    examples: readonly Example[],
    lossFn: string,
    { config }: PassOptions = {},
  ): Promise<Outcome<Pass>> {
    const pass = { data: examples.map(exampleToDatum), lossFn, ...(config && { config }) };
    return outcomeOf(["rejected"], async () => passOf(await this.#model.forwardBackward(pass)));
  }

  forward(examples: readonly Example[]): Promise<Outcome<Pass>> {
    const data = examples.map((example) => exampleToDatum(withEqualWeights(example)));
    return outcomeOf(["unsupported", "missing"], async () =>
      passOf(await this.#model.forward({ data, lossFn: "cross_entropy" })),
    );
  }

  step(parameters: AdamParameters): Promise<Outcome<Readonly<Record<string, number>>>> {
    return outcomeOf(["rejected", "failed"], () => this.#model.optimStep(parameters));
  }

  sampler(): Promise<Outcome<Sampler>> {
    return outcomeOf([], async () => {
      const sampler = await this.#session.createSampler(this.#model, this.#bounds);
      let attempt = 0;
      // With a journal the same question would be answered with what was said before, and no server would be asked.
      return { sample: (drawing) => drawOf(sampler, drawing, ++attempt) };
    });
  }
}

function drawOf(
  sampler: TinkerSampler,
  drawing: Drawing,
  attempt: number,
): Promise<Outcome<Drawn>> {
  const { stop, ...call } = drawing;
  const refusals: TinkerErrorKind[] = ["malformed", "rejected", "unsupported", "failed"];
  // A sample that fails is told as it is; only log-probs of a prompt may be something that a server does not have.
  return outcomeOf(call.promptLogprobs ? refusals : [], async () => {
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

function passOf({ loss_fn_outputs, metrics }: ForwardBackwardOutput): Pass {
  return { logprobs: loss_fn_outputs.map((output) => output["logprobs"]!.data), metrics };
}

/** Errors of these kinds are values; others are thrown. */
async function outcomeOf<T>(
  refusals: readonly TinkerErrorKind[],
  call: () => Promise<T>,
): Promise<Outcome<T>> {
  const from = performance.now();
  try {
    const value = await call();
    return { ok: true, value, ms: performance.now() - from };
  } catch (error) {
    if (refusals.length === 0 || !TinkerError.is(error, ...refusals)) throw error;
    return {
      ok: false,
      status: error.status ?? 0,
      message: errorMessage(error),
      accepted: error.requestId !== undefined,
      ms: performance.now() - from,
      cause: error,
    };
  }
}
