/** Departures that a doctor must find and a trainer never meets: what servers do with input that makes no sense, and more. */
import { hash32, Rng } from "../../src/core/index.ts";
import { tinkerWire as wire } from "../../src/engine/index.ts";
import type { Backend, Behaviour, Exchange, HttpCall, LossDatum } from "../../src/server/index.ts";

/** A backend like `inner` but for some of its methods. */
function backendWith(change: (inner: Backend) => Partial<Backend>): Behaviour {
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

function exchangeWith(
  change: (call: HttpCall, inner: Exchange) => ReturnType<Exchange>,
): Behaviour {
  return { wrapExchange: (inner) => (call) => change(call, inner) };
}

/** open-rl: adapters have dropout while training, so no two passes agree. */
export function dropout(): Behaviour {
  const rng = new Rng(5);
  return backendWith((inner) => ({
    async forward(id, batch) {
      const result = await inner.forward(id, batch);
      const noisy = (logprobs: Float32Array) => logprobs.map((lp) => lp + 0.002 * rng.normal());
      return { ...result, logprobs: result.logprobs.map(noisy) };
    },
  }));
}

/** open-rl: every sampler draws from the weights of the moment. */
export function liveSampler(): Behaviour {
  let count = 0;
  return backendWith((inner) => ({
    async sample(weights, order, signal) {
      if (!weights) return inner.sample(weights, order, signal);
      const directory = `${weights.directory}-${++count}`;
      await inner.saveSampler(weights.modelId, directory);
      return inner.sample({ ...weights, directory }, order, signal);
    },
  }));
}

/** open-rl: betas, epsilon and decay are those of a model's first step. */
export function firstAdam(): Behaviour {
  const first = new Map<string, Parameters<Backend["optimStep"]>[1]>();
  return backendWith((inner) => ({
    optimStep(id, adam) {
      const kept = first.get(id) ?? adam;
      first.set(id, kept);
      const { learning_rate, grad_clip_norm } = adam;
      return inner.optimStep(id, { ...kept, learning_rate, grad_clip_norm });
    },
  }));
}

/** SkyRL: a step without a gradient is taken, on momentum. */
export const stepsWithoutGradient = backendWith((inner) => ({
  async optimStep(id, adam) {
    const silent: LossDatum = { tokens: [1], targets: [1], weights: [0] };
    await inner.forwardBackward(id, { loss: "cross_entropy", config: {}, data: [silent] });
    return inner.optimStep(id, adam);
  },
}));

/** open-rl: seeds are not read. */
export function ignoresSeeds(): Behaviour {
  let count = 0;
  return backendWith((inner) => ({
    sample(weights, order, signal) {
      const streams = order.streams.map(() => hash32(`draw ${++count}`));
      return inner.sample(weights, { ...order, streams }, signal);
    },
  }));
}

/** open-rl: the bounds of ppo have another name, and ours are not read. */
export const ownPpoBounds = backendWith((inner) => ({
  forwardBackward(id, batch) {
    const config = { clip_low_threshold: 0.8, clip_high_threshold: 1.2 };
    return inner.forwardBackward(id, batch.loss === "ppo" ? { ...batch, config } : batch);
  },
}));

/** open-rl: a request is done as often as it is sent, and its number is not looked at. */
export function doesRepeats(): Behaviour {
  const done = new Map<string, number>();
  return exchangeWith(async (call, inner) => {
    const { "x-idempotency-key": _, ...headers } = call.headers;
    const plain = { ...call, headers };
    const model = modelNumbered(call);
    if (model === undefined) return inner(plain);
    const number = (done.get(model) ?? 0) + 1;
    const reply = await inner({ ...plain, body: renumbered(call, number) });
    if (reply.status < 400) done.set(model, number);
    return reply;
  });
}

function modelNumbered(call: HttpCall): string | undefined {
  if (isProto(call)) return wire.decodeForwardBackwardRequest(call.body).model_id;
  const text = Buffer.from(call.body).toString("utf8");
  if (!text.includes('"seq_id"')) return undefined;
  return (JSON.parse(text) as { model_id?: string }).model_id;
}

function renumbered(call: HttpCall, seq_id: number): Uint8Array {
  if (isProto(call)) {
    const request = wire.decodeForwardBackwardRequest(call.body);
    return wire.encodeForwardBackwardRequest({ ...request, seq_id });
  }
  const request = JSON.parse(Buffer.from(call.body).toString("utf8")) as object;
  return Buffer.from(JSON.stringify({ ...request, seq_id }));
}

function isProto({ headers }: HttpCall): boolean {
  return headers["content-type"] === wire.PROTOBUF;
}

/** open-rl, SkyRL: tensors are cut or filled up to fit, ids fall back into the vocabulary, NaN is taken as it comes. */
export function mends(what: "lengths" | "ids" | "nan"): Behaviour {
  return exchangeWith((call, inner) => {
    if (!isProto(call)) return inner(call);
    const request = wire.decodeForwardBackwardRequest(call.body);
    const data = request.data.map((datum) => mended(datum, what));
    const body = wire.encodeForwardBackwardRequest({ ...request, data });
    return inner({ ...call, body: Buffer.from(body) });
  });
}

function mended({ model_input, loss_fn_inputs }: wire.Datum, what: string): wire.Datum {
  const tokens = model_input.chunks.flatMap((chunk) => chunk.tokens);
  const id = (value: number) => (what === "ids" ? value % 48 : value);
  const float = (value: number) => (what === "nan" && Number.isNaN(value) ? 0 : value);
  const tensors = Object.entries(loss_fn_inputs).map(([name, tensor]) => {
    const values = tensor.data.map(name === "target_tokens" ? id : float);
    const filled = Array.from(tokens, (_, i) => values[i] ?? 0);
    const data = what === "lengths" ? filled : values;
    const mended: wire.TensorData = { ...tensor, data, shape: [data.length] };
    return [name, mended] as const;
  });
  return {
    model_input: { chunks: [{ type: "encoded_text", tokens: tokens.map(id) }] },
    loss_fn_inputs: Object.fromEntries(tensors),
  };
}

/** open-rl has no `/unload_model`. */
export const noUnload = exchangeWith((call, inner) =>
  call.path.endsWith("/unload_model")
    ? Promise.resolve({ status: 404, json: { detail: "Not Found" } })
    : inner(call),
);

/** TuFT names no gradient norm. */
export const noGradientNorm = backendWith((inner) => ({
  async optimStep(id, adam) {
    await inner.optimStep(id, adam);
    return {};
  },
}));
