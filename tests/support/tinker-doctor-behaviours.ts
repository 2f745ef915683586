/** Simulates departures of servers that the doctor must find, such as how they treat invalid input. */
import { hash32, Rng } from "../../src/core/index.ts";
import { tinkerWire as wire } from "../../src/engine/index.ts";
import type { Backend, Behaviour, Exchange, HttpCall, LossDatum } from "../../src/server/index.ts";

/** Makes a behaviour that replaces some methods of the backend. */
function overrideBackend(change: (inner: Backend) => Partial<Backend>): Behaviour {
  return {
    wrapBackend(inner) {
      const changed = change(inner);
      return new Proxy(inner, {
        get(target, name: keyof Backend) {
          const value = changed[name] ?? target[name];
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
  };
}

function overrideExchange(
  change: (call: HttpCall, inner: Exchange) => ReturnType<Exchange>,
): Behaviour {
  return { wrapExchange: (inner) => (call) => change(call, inner) };
}

/** Like open-rl: adds dropout noise in training, so no two passes agree. */
export function simulateDropout(): Behaviour {
  const rng = new Rng(5);
  return overrideBackend((inner) => ({
    async forward(id, batch) {
      const result = await inner.forward(id, batch);
      const noisy = (logprobs: Float32Array) => logprobs.map((lp) => lp + 0.002 * rng.normal());
      return { ...result, logprobs: result.logprobs.map(noisy) };
    },
  }));
}

/** Like open-rl: every sampler uses the model's present weights. */
export function followLiveWeights(): Behaviour {
  let count = 0;
  return overrideBackend((inner) => ({
    async sample(weights, job, signal) {
      if (!weights) return inner.sample(weights, job, signal);
      const directory = `${weights.directory}-${++count}`;
      await inner.saveSampler(weights.modelId, directory);
      return inner.sample({ ...weights, directory }, job, signal);
    },
  }));
}

/** Like open-rl: keeps the betas, epsilon and weight decay of a model's first step. */
export function keepFirstAdamSettings(): Behaviour {
  const first = new Map<string, Parameters<Backend["optimStep"]>[1]>();
  return overrideBackend((inner) => ({
    optimStep(id, adam) {
      const kept = first.get(id) ?? adam;
      first.set(id, kept);
      const { learning_rate, grad_clip_norm } = adam;
      return inner.optimStep(id, { ...kept, learning_rate, grad_clip_norm });
    },
  }));
}

/** Like SkyRL: takes a step without a gradient, which moves the weights by momentum. */
export const stepsWithoutGradient = overrideBackend((inner) => ({
  async optimStep(id, adam) {
    const silent: LossDatum = { tokens: [1], targets: [1], weights: [0] };
    await inner.forwardBackward(id, { loss: "cross_entropy", config: {}, data: [silent] });
    return inner.optimStep(id, adam);
  },
}));

/** Like open-rl: ignores seeds. */
export function ignoreSeeds(): Behaviour {
  let count = 0;
  return overrideBackend((inner) => ({
    sample(weights, job, signal) {
      const streams = job.streams.map(() => hash32(`draw ${++count}`));
      return inner.sample(weights, { ...job, streams }, signal);
    },
  }));
}

/** Like open-rl: ignores the clip bounds of ppo, because open-rl expects them under other names. */
export const ignoresPpoBounds = overrideBackend((inner) => ({
  forwardBackward(id, batch) {
    const config = { clip_low_threshold: 0.8, clip_high_threshold: 1.2 };
    return inner.forwardBackward(id, batch.loss === "ppo" ? { ...batch, config } : batch);
  },
}));

/** Like open-rl: runs a request each time it is sent, and ignores its number. */
export function runRepeatedRequests(): Behaviour {
  const done = new Map<string, number>();
  return overrideExchange(async (call, inner) => {
    const { "x-idempotency-key": _, ...headers } = call.headers;
    const plain = { ...call, headers };
    const model = readModelOfNumberedRequest(call);
    if (model === undefined) return inner(plain);
    const number = (done.get(model) ?? 0) + 1;
    const reply = await inner({ ...plain, body: setRequestNumber(call, number) });
    if (reply.status < 400) done.set(model, number);
    return reply;
  });
}

function readModelOfNumberedRequest(call: HttpCall): string | undefined {
  if (isProtobuf(call)) return wire.decodeForwardBackwardRequest(call.body).model_id;
  const text = Buffer.from(call.body).toString("utf8");
  if (!text.includes('"seq_id"')) return undefined;
  return (JSON.parse(text) as { model_id?: string }).model_id;
}

function setRequestNumber(call: HttpCall, seq_id: number): Uint8Array {
  if (isProtobuf(call)) {
    const request = wire.decodeForwardBackwardRequest(call.body);
    return wire.encodeForwardBackwardRequest({ ...request, seq_id });
  }
  const request = JSON.parse(Buffer.from(call.body).toString("utf8")) as object;
  return Buffer.from(JSON.stringify({ ...request, seq_id }));
}

function isProtobuf({ headers }: HttpCall): boolean {
  return headers["content-type"] === wire.PROTOBUF;
}

/** Like open-rl and SkyRL: accepts invalid input by repairing wrong lengths, ids outside the vocabulary or NaN. */
export function repairInput(kind: "lengths" | "ids" | "nan"): Behaviour {
  return overrideExchange((call, inner) => {
    if (!isProtobuf(call)) return inner(call);
    const request = wire.decodeForwardBackwardRequest(call.body);
    const data = request.data.map((datum) => repairDatum(datum, kind));
    const body = wire.encodeForwardBackwardRequest({ ...request, data });
    return inner({ ...call, body: Buffer.from(body) });
  });
}

function repairDatum({ model_input, loss_fn_inputs }: wire.Datum, kind: string): wire.Datum {
  const tokens = model_input.chunks.flatMap((chunk) => chunk.tokens);
  const id = (value: number) => (kind === "ids" ? value % 48 : value);
  const float = (value: number) => (kind === "nan" && Number.isNaN(value) ? 0 : value);
  const tensors = Object.entries(loss_fn_inputs).map(([name, tensor]) => {
    const values = tensor.data.map(name === "target_tokens" ? id : float);
    const filled = Array.from(tokens, (_, i) => values[i] ?? 0);
    const data = kind === "lengths" ? filled : values;
    const mended: wire.TensorData = { ...tensor, data, shape: [data.length] };
    return [name, mended] as const;
  });
  return {
    model_input: { chunks: [{ type: "encoded_text", tokens: tokens.map(id) }] },
    loss_fn_inputs: Object.fromEntries(tensors),
  };
}

/** Like open-rl: has no `/unload_model`. */
export const noUnload = overrideExchange((call, inner) =>
  call.path.endsWith("/unload_model")
    ? Promise.resolve({ status: 404, json: { detail: "Not Found" } })
    : inner(call),
);

/** Like TuFT: reports no gradient norm. */
export const noGradientNorm = overrideBackend((inner) => ({
  async optimStep(id, adam) {
    await inner.optimStep(id, adam);
    return {};
  },
}));
