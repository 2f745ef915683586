/**
 * How known Tinker servers depart from the reference, each as something to put around the honest server.
 *
 * What each real server does is in docs/reference/tinker.md. A departure changes what is computed (`wrapBackend`) or how it
 * is told (`wrapExchange`); several combine, the first named outermost.
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

export function combined(...behaviours: readonly Behaviour[]): Behaviour {
  const inwards = [...behaviours].reverse();
  return {
    wrapBackend: (backend) =>
      inwards.reduce((inner, { wrapBackend }) => wrapBackend?.(inner) ?? inner, backend),
    wrapExchange: (exchange) =>
      inwards.reduce((inner, { wrapExchange }) => wrapExchange?.(inner) ?? inner, exchange),
  };
}

type Part = Partial<Omit<Backend, "base">>;

/** A backend like `inner` but for what `change` returns. */
function backendWith(change: (inner: Backend) => Part): Behaviour {
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

function exchangeWith(change: (call: HttpCall, inner: Exchange) => Promise<HttpReply>): Behaviour {
  return { wrapExchange: (inner) => (call) => change(call, inner) };
}

const detail = (status: number, text: string): HttpReply => ({ status, json: { detail: text } });

const isProto = ({ headers }: HttpCall) => headers["content-type"] === wire.PROTOBUF;

/** open-rl: a protobuf body is not read, and results are never protobuf. */
export const jsonOnly = exchangeWith((call, inner) => {
  if (isProto(call)) return Promise.resolve(detail(415, "Unsupported media type"));
  return inner({ ...call, headers: { ...call.headers, accept: "application/json" } });
});

/** TuFT: forward_backward is protobuf alone; results of it and of sampling too. */
export const protoOnly = exchangeWith((call, inner) => {
  const isForward = /\/forward(_backward)?$/.test(call.path);
  if (isForward && !isProto(call)) return Promise.resolve(detail(415, "Unsupported media type"));
  if (!call.path.endsWith("/retrieve_future")) return inner(call);
  return inner({ ...call, headers: { ...call.headers, accept: wire.PROTOBUF } });
});

/** TuFT answers accepted work with 202. */
export const accepts202 = exchangeWith(async (call, inner) => {
  const reply = await inner(call);
  const isFuture = "json" in reply && "request_id" in (reply.json as object);
  const isPoll = call.path.endsWith("/retrieve_future");
  return isFuture && !isPoll && reply.status === 200 ? { ...reply, status: 202 } : reply;
});

/** open-rl has no `/forward`. */
export const noForward = exchangeWith((call, inner) =>
  call.path.endsWith("/forward") ? Promise.resolve(detail(404, "Not Found")) : inner(call),
);

/** SkyRL: a future that is pending ends the poll with 408. */
export const pendingIs408 = exchangeWith(async (call, inner) => {
  const reply = await inner(call);
  const pending = "json" in reply && (reply.json as { type?: unknown })?.type === "try_again";
  return pending ? { ...reply, status: 408 } : reply;
});

/** SkyRL (400) and TuFT (422): a future that failed is an HTTP error. */
export function failureIs(status: 400 | 422): Behaviour {
  return exchangeWith(async (call, inner) => {
    const reply = await inner(call);
    const failed = "json" in reply ? (reply.json as { error?: string; category?: string }) : {};
    if (failed.error === undefined || failed.category === undefined) return reply;
    return detail(status, failed.error);
  });
}

/**
 * SkyRL's JAX backend: the gradient is that of a mean over datums since the last step of each datum's mean weighted by
 * its `weights`. Here batches wait until the step, when the number of datums is known.
 */
export function meanReduction(): Behaviour {
  const waiting = new Map<string, LossBatch[]>();
  return backendWith((inner) => ({
    async forwardBackward(id, batch) {
      const result = await inner.forward(id, batch);
      waiting.set(id, [...(waiting.get(id) ?? []), batch]);
      return result;
    },
    async optimStep(id, adam) {
      const batches = waiting.get(id) ?? [];
      waiting.delete(id);
      const datums = batches.reduce((sum, { data }) => sum + data.length, 0);
      for (const batch of batches) {
        const data = batch.data.map((datum) => averaged(datum, datums));
        await inner.forwardBackward(id, { ...batch, data });
      }
      return inner.optimStep(id, adam);
    },
  }));
}

function averaged(datum: LossDatum, datums: number): LossDatum {
  const weights = Array.from(datum.targets, (_, t) => datum.weights?.[t] ?? 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { ...datum, weights: weights.map((w) => (total === 0 ? 0 : w / (total * datums))) };
}

/** SkyRL has no such field. */
export const ignoresGradientClip = backendWith((inner) => ({
  optimStep: (id, adam) => inner.optimStep(id, { ...adam, grad_clip_norm: 0 }),
}));

/** SkyRL: N - 1 log-probs for N tokens of a prompt, without the leading null. */
export const shortPromptLogprobs = backendWith((inner) => ({
  async sample(...args) {
    const { promptLogprobs, ...result } = await inner.sample(...args);
    return promptLogprobs ? { ...result, promptLogprobs: promptLogprobs.slice(1) } : result;
  },
}));

/** open-rl: log-probs of the tempered distribution. */
export const temperedLogprobs = backendWith((inner) => ({
  sample: (weights, order, signal) =>
    inner.sample(weights, { ...order, temperedLogprobs: true }, signal),
}));

/** SkyRL: only what `stop` names ends a sample. */
export const noImplicitStop = backendWith((inner) => ({
  sample: (weights, order, signal) =>
    inner.sample(weights, { ...order, endsAtModelStop: false }, signal),
}));

/** open-rl: nothing ends a sample, and the reason is "stop" all the same. */
export const ignoresStop = backendWith((inner) => ({
  async sample(weights, order, signal) {
    const endless = { ...order, stopIds: [], stopTexts: [], endsAtModelStop: false };
    const result = await inner.sample(weights, endless, signal);
    const sequences = result.sequences.map((sequence) => ({ ...sequence, stop: "stop" as const }));
    return { ...result, sequences };
  },
}));

/**
 * SkyRL's JAX backend: there is one slot for training and sampling. Sampling weights that are not the newest loads them
 * into it, over what was trained; sampling the newest after a step samples what was trained since.
 */
export function sharedSlot(): Behaviour {
  const newest = new Map<string, string>();
  const trained = new Set<string>();
  return backendWith((inner) => {
    const live = async (id: string, weights: FrozenWeights) => {
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
      async sample(weights, order, signal) {
        if (!weights || !newest.has(weights.modelId)) return inner.sample(weights, order, signal);
        const { modelId, directory } = weights;
        if (newest.get(modelId) !== directory) {
          await inner.loadTraining(modelId, directory, { optimizer: false });
          return inner.sample(weights, order, signal);
        }
        if (!trained.has(modelId)) return inner.sample(weights, order, signal);
        const suffixed = { ...weights, directory: `${directory}-${++count}` };
        return inner.sample(await live(modelId, suffixed), order, signal);
      },
    };
  });
}

/** SkyRL: `max_tokens` must be given, and `stop` must be a list. */
export const strictSampling = exchangeWith((call, inner) => {
  if (!call.path.endsWith("/asample")) return inner(call);
  const { sampling_params } = JSON.parse(Buffer.from(call.body).toString("utf8")) as {
    sampling_params?: { max_tokens?: number; stop?: unknown };
  };
  if (sampling_params?.max_tokens === undefined) {
    return Promise.resolve(detail(400, "max_tokens is currently required"));
  }
  if (typeof sampling_params.stop === "string") {
    return Promise.resolve(detail(422, "stop: expected a list"));
  }
  return inner(call);
});

/** Every sample takes this long on top; of long work there is usually only waiting. */
export function slowSamples(delayMs: number): Behaviour {
  return backendWith((inner) => ({
    async sample(...args) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return inner.sample(...args);
    },
  }));
}

/**
 * The `nth` forward_backward of a server (from 1) poisons its model, as a bad input does on SkyRL: its log-probs and
 * gradient norms are NaN from then on, and only a model that is made anew is sound.
 */
export function poisons(nth: number): Behaviour {
  const poisoned = new Set<string>();
  let count = 0;
  return backendWith((inner) => ({
    async createModel(id, options) {
      poisoned.delete(id);
      return inner.createModel(id, options);
    },
    async forwardBackward(id, batch) {
      count += 1;
      if (count === nth) poisoned.add(id);
      return poisoned.has(id) ? poisonedResult(batch) : inner.forwardBackward(id, batch);
    },
    async forward(id, batch) {
      return poisoned.has(id) ? poisonedResult(batch) : inner.forward(id, batch);
    },
    async optimStep(id, adam) {
      return poisoned.has(id) ? { "grad_norm:mean": Number.NaN } : inner.optimStep(id, adam);
    },
  }));
}

function poisonedResult({ data }: LossBatch): BatchResult {
  const nan = data.map(({ targets }) => new Float32Array(targets.length).fill(Number.NaN));
  return { logprobs: nan, losses: nan, loss: Number.NaN, skipped: 0 };
}

/** What SkyRL's JAX backend was seen to do, all together. */
export function skyrlJax(): readonly Behaviour[] {
  return [
    meanReduction(),
    ignoresGradientClip,
    shortPromptLogprobs,
    noImplicitStop,
    sharedSlot(),
    strictSampling,
    pendingIs408,
    failureIs(400),
  ];
}

/** What open-rl was seen to do. */
export function openRl(): readonly Behaviour[] {
  return [jsonOnly, noForward, temperedLogprobs, ignoresStop, pendingIs408, failureIs(400)];
}

/** What TuFT was seen to do. */
export function tuft(): readonly Behaviour[] {
  return [protoOnly, accepts202, failureIs(422)];
}
