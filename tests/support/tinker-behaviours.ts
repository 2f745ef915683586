/**
 * Simulates how known Tinker servers depart from the hosted service. Each behaviour is wrapped around the normal
 * server.
 *
 * docs/reference/tinker.md says what each real server does. A behaviour changes what the server computes
 * (`wrapBackend`) or how it sends it (`wrapExchange`). Several behaviours can be combined. The first one in the list is
 * the outermost.
 */
import { tinkerWire as wire } from "../../src/engine/index.ts";
import type {
  Backend,
  BatchResult,
  Behaviour,
  Exchange,
  FrozenWeights,
  HttpCall,
  HttpReply,
  LossBatch,
  LossDatum,
} from "../../src/server/index.ts";

export function combineBehaviours(...behaviours: readonly Behaviour[]): Behaviour {
  const innermostFirst = [...behaviours].reverse();
  return {
    wrapBackend: (backend) =>
      innermostFirst.reduce((inner, { wrapBackend }) => wrapBackend?.(inner) ?? inner, backend),
    wrapExchange: (exchange) =>
      innermostFirst.reduce((inner, { wrapExchange }) => wrapExchange?.(inner) ?? inner, exchange),
  };
}

type BackendPart = Partial<Omit<Backend, "base">>;

/** Makes a behaviour that replaces some methods of the backend by those that `change` returns. */
function overrideBackend(change: (inner: Backend) => BackendPart): Behaviour {
  return {
    wrapBackend(inner) {
      const methods: Omit<Backend, "base"> = {
        createModel: (...args) => inner.createModel(...args),
        forward: (...args) => inner.forward(...args),
        forwardBackward: (...args) => inner.forwardBackward(...args),
        optimStep: (...args) => inner.optimStep(...args),
        saveTraining: (...args) => inner.saveTraining(...args),
        loadTraining: (...args) => inner.loadTraining(...args),
        saveSampler: (...args) => inner.saveSampler(...args),
        unloadModel: (...args) => inner.unloadModel(...args),
        sample: (...args) => inner.sample(...args),
        close: () => inner.close(),
      };
      return { base: inner.base, ...methods, ...change(inner) };
    },
  };
}

function overrideExchange(
  change: (call: HttpCall, inner: Exchange) => Promise<HttpReply>,
): Behaviour {
  return { wrapExchange: (inner) => (call) => change(call, inner) };
}

const errorReply = (status: number, text: string): HttpReply => ({
  status,
  json: { detail: text },
});

const isProtobuf = ({ headers }: HttpCall) => headers["content-type"] === wire.PROTOBUF;

/** Like open-rl: refuses protobuf bodies and never sends protobuf results. */
export const jsonOnly = overrideExchange((call, inner) => {
  if (isProtobuf(call)) return Promise.resolve(errorReply(415, "Unsupported media type"));
  return inner({ ...call, headers: { ...call.headers, accept: "application/json" } });
});

/** Like TuFT: takes forward_backward only as protobuf, and sends its results and samples as protobuf. */
export const protoOnly = overrideExchange((call, inner) => {
  const isForward = /\/forward(_backward)?$/.test(call.path);
  if (isForward && !isProtobuf(call))
    return Promise.resolve(errorReply(415, "Unsupported media type"));
  if (!call.path.endsWith("/retrieve_future")) return inner(call);
  return inner({ ...call, headers: { ...call.headers, accept: wire.PROTOBUF } });
});

/** Like TuFT: answers accepted work with 202. */
export const accepts202 = overrideExchange(async (call, inner) => {
  const reply = await inner(call);
  const isFuture = "json" in reply && "request_id" in (reply.json as object);
  const isPoll = call.path.endsWith("/retrieve_future");
  return isFuture && !isPoll && reply.status === 200 ? { ...reply, status: 202 } : reply;
});

/** Like open-rl: has no `/forward`. */
export const noForward = overrideExchange((call, inner) =>
  call.path.endsWith("/forward") ? Promise.resolve(errorReply(404, "Not Found")) : inner(call),
);

/** Like SkyRL: answers a poll of a pending future with 408. */
export const pendingIs408 = overrideExchange(async (call, inner) => {
  const reply = await inner(call);
  const pending = "json" in reply && (reply.json as { type?: unknown })?.type === "try_again";
  return pending ? { ...reply, status: 408 } : reply;
});

/** Like SkyRL (status 400) and TuFT (status 422): answers with an HTTP error when a future has failed. */
export function failedFutureIsHttpError(status: 400 | 422): Behaviour {
  return overrideExchange(async (call, inner) => {
    const reply = await inner(call);
    const failed = "json" in reply ? (reply.json as { error?: string; category?: string }) : {};
    if (failed.error === undefined || failed.category === undefined) return reply;
    return errorReply(status, failed.error);
  });
}

/**
 * Like SkyRL's JAX backend: averages the loss over all datums since the last step, after a mean over each datum's
 * tokens weighted by its `weights`. Batches wait here until the step, when the number of datums is known.
 */
export function meanReduction(): Behaviour {
  const waitingBatches = new Map<string, LossBatch[]>();
  return overrideBackend((inner) => ({
    async forwardBackward(id, batch) {
      const result = await inner.forward(id, batch);
      waitingBatches.set(id, [...(waitingBatches.get(id) ?? []), batch]);
      return result;
    },
    async optimStep(id, adam) {
      const batches = waitingBatches.get(id) ?? [];
      waitingBatches.delete(id);
      const datums = batches.reduce((sum, { data }) => sum + data.length, 0);
      for (const batch of batches) {
        const data = batch.data.map((datum) => averageWeights(datum, datums));
        await inner.forwardBackward(id, { ...batch, data });
      }
      return inner.optimStep(id, adam);
    },
  }));
}

function averageWeights(datum: LossDatum, datums: number): LossDatum {
  const weights = Array.from(datum.targets, (_, t) => datum.weights?.[t] ?? 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { ...datum, weights: weights.map((w) => (total === 0 ? 0 : w / (total * datums))) };
}

/** Like SkyRL: ignores `grad_clip_norm`. */
export const ignoresGradientClip = overrideBackend((inner) => ({
  optimStep: (id, adam) => inner.optimStep(id, { ...adam, grad_clip_norm: 0 }),
}));

/** Like SkyRL: sends N - 1 log-probs for N prompt tokens, without the leading null. */
export const shortPromptLogprobs = overrideBackend((inner) => ({
  async sample(...args) {
    const { promptLogprobs, ...result } = await inner.sample(...args);
    return promptLogprobs ? { ...result, promptLogprobs: promptLogprobs.slice(1) } : result;
  },
}));

/** Like open-rl: returns log-probs of the tempered distribution. */
export const temperedLogprobs = overrideBackend((inner) => ({
  sample: (weights, job, signal) =>
    inner.sample(weights, { ...job, temperedLogprobs: true }, signal),
}));

/** Like SkyRL: ends a sample only at the tokens in `stop`. */
export const noImplicitStop = overrideBackend((inner) => ({
  sample: (weights, job, signal) =>
    inner.sample(weights, { ...job, endsAtModelStop: false }, signal),
}));

/** Like open-rl: never ends a sample early, but always reports the reason "stop". */
export const ignoresStop = overrideBackend((inner) => ({
  async sample(weights, job, signal) {
    const endless = { ...job, stopIds: [], stopTexts: [], endsAtModelStop: false };
    const result = await inner.sample(weights, endless, signal);
    const sequences = result.sequences.map((sequence) => ({ ...sequence, stop: "stop" as const }));
    return { ...result, sequences };
  },
}));

/**
 * Like SkyRL's JAX backend: has one slot for training and sampling. Sampling from older weights loads these weights
 * into the slot, where they overwrite the trained weights. Sampling from the newest published weights after a further
 * step uses the weights after this step.
 */
export function sharedSlot(): Behaviour {
  const newest = new Map<string, string>();
  const trained = new Set<string>();
  return overrideBackend((inner) => {
    const saveLiveWeights = async (id: string, weights: FrozenWeights) => {
      const directory = `${weights.directory}-live`;
      await inner.saveSampler(id, directory);
      return { ...weights, directory: directory };
    };
    let count = 0;
    return {
      async optimStep(id, adam) {
        trained.add(id);
        return inner.optimStep(id, adam);
      },
      async saveSampler(id, directory) {
        await inner.saveSampler(id, directory);
        newest.set(id, directory);
        trained.delete(id);
      },
      async sample(weights, job, signal) {
        if (!weights || !newest.has(weights.modelId)) return inner.sample(weights, job, signal);
        const { modelId, directory } = weights;
        if (newest.get(modelId) !== directory) {
          await inner.loadTraining(modelId, directory, { optimizer: false });
          return inner.sample(weights, job, signal);
        }
        if (!trained.has(modelId)) return inner.sample(weights, job, signal);
        const suffixed = { ...weights, directory: `${directory}-${++count}` };
        return inner.sample(await saveLiveWeights(modelId, suffixed), job, signal);
      },
    };
  });
}

/** Like SkyRL: requires `max_tokens`, and a list for `stop`. */
export const strictSampling = overrideExchange((call, inner) => {
  if (!call.path.endsWith("/asample")) return inner(call);
  const { sampling_params } = JSON.parse(Buffer.from(call.body).toString("utf8")) as {
    sampling_params?: { max_tokens?: number; stop?: unknown };
  };
  if (sampling_params?.max_tokens === undefined) {
    return Promise.resolve(errorReply(400, "max_tokens is currently required"));
  }
  if (typeof sampling_params.stop === "string") {
    return Promise.resolve(errorReply(422, "stop: expected a list"));
  }
  return inner(call);
});

/** Delays every sampling call. */
export function slowSamples(delayMs: number): Behaviour {
  return overrideBackend((inner) => ({
    async sample(...args) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return inner.sample(...args);
    },
  }));
}

/**
 * Poisons the model at the server's `nth` forward_backward (from 1), as a bad input does on SkyRL: its log-probs and
 * gradient norms are NaN from then on, until the model is created again.
 */
export function poisonModelAt(nth: number): Behaviour {
  const poisoned = new Set<string>();
  let count = 0;
  return overrideBackend((inner) => ({
    async createModel(id, options) {
      poisoned.delete(id);
      return inner.createModel(id, options);
    },
    async forwardBackward(id, batch) {
      count += 1;
      if (count === nth) poisoned.add(id);
      return poisoned.has(id) ? createNanResult(batch) : inner.forwardBackward(id, batch);
    },
    async forward(id, batch) {
      return poisoned.has(id) ? createNanResult(batch) : inner.forward(id, batch);
    },
    async optimStep(id, adam) {
      return poisoned.has(id) ? { "grad_norm:mean": Number.NaN } : inner.optimStep(id, adam);
    },
  }));
}

function createNanResult({ data }: LossBatch): BatchResult {
  const nan = data.map(({ targets }) => new Float32Array(targets.length).fill(Number.NaN));
  return { logprobs: nan, losses: nan, loss: Number.NaN, skipped: 0 };
}

/** Returns all departures that were observed on SkyRL's JAX backend. */
export function skyrlJaxBehaviours(): readonly Behaviour[] {
  return [
    meanReduction(),
    ignoresGradientClip,
    shortPromptLogprobs,
    noImplicitStop,
    sharedSlot(),
    strictSampling,
    pendingIs408,
    failedFutureIsHttpError(400),
  ];
}

/** Returns the departures that were observed on open-rl. */
export function openRlBehaviours(): readonly Behaviour[] {
  return [
    jsonOnly,
    noForward,
    temperedLogprobs,
    ignoresStop,
    pendingIs408,
    failedFutureIsHttpError(400),
  ];
}

/** Returns the departures that were observed on TuFT. */
export function tuftBehaviours(): readonly Behaviour[] {
  return [protoOnly, accepts202, failedFutureIsHttpError(422)];
}
