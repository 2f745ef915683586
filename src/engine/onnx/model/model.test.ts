/** Tests of the config, the parameter layout and the initialisation. */
import { expect, test } from "vitest";
import {
  initializeParameters,
  type ModelConfig,
  ParameterStore,
  parseModelConfig,
  residualWriteScale,
  rotaryFrequency,
} from "./index.ts";

const SMALL = {
  vocabularySize: 64,
  hiddenSize: 64,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headSize: 16,
  intermediateSize: 96,
  contextLength: 32,
};

test("a config gets defaults, and the error of an invalid config names the field", () => {
  expect(parseModelConfig(SMALL)).toMatchObject({
    ropeTheta: 10_000,
    tieEmbeddings: true,
    qkvBias: false,
  });
  const parseWith = (patch: object) => () => parseModelConfig({ ...SMALL, ...patch });
  expect(parseWith({ layers: 0 })).toThrow("layers");
  expect(parseWith({ hidenSize: 3 })).toThrow("hidenSize");
  expect(parseWith({ kvHeads: 3 })).toThrow(
    "model.heads must be a multiple of model.kvHeads, but they are 4 and 3",
  );
  expect(parseWith({ headSize: 15 })).toThrow("model.headSize must be even");
});

test("the parts of a fused input are adjacent and aligned, and every weight is in exactly one input", () => {
  for (const extra of [
    { qkvBias: true },
    { qkNorm: true, tieEmbeddings: false },
    { hiddenSize: 6, headSize: 2 },
  ]) {
    const store = new ParameterStore(parseModelConfig({ ...SMALL, ...extra }));
    const owners = new Uint8Array(store.data.length);
    for (const input of store.inputs) {
      expect(input.offset % 16).toBe(0);
      let next = input.offset;
      for (const part of input.parts) {
        expect(part.offset).toBe(next);
        next += part.size;
        for (let i = part.offset; i < next; i++) owners[i]!++;
      }
      expect(input.shape.reduce((a, b) => a * b, 1)).toBe(input.size);
    }
    expect(Math.max(...owners)).toBe(1);
    expect(owners.reduce((a, b) => a + b, 0)).toBe(store.elementCount);
  }
});

test("weight decay applies only to projections and the head", () => {
  const store = new ParameterStore(
    parseModelConfig({ ...SMALL, qkvBias: true, qkNorm: true, tieEmbeddings: false }),
  );
  for (const { name, hasWeightDecay: decays } of store.parameters) {
    expect(decays, name).toBe(/(proj|lm_head)\.weight$/.test(name));
  }
});

test("initial weights depend on the seed and have the documented standard deviation", () => {
  const initializeWithSeed = (seed: number) => {
    const store = new ParameterStore(parseModelConfig({ ...SMALL, qkvBias: true }));
    initializeParameters(store, seed);
    return store;
  };
  const store = initializeWithSeed(1);
  const toBytes = ({ data }: ParameterStore) => Buffer.from(data.buffer);
  expect(toBytes(initializeWithSeed(1)).equals(toBytes(store))).toBe(true);
  expect(toBytes(initializeWithSeed(2)).equals(toBytes(store))).toBe(false);
  for (const { name, shape } of store.parameters) {
    const view = store.view(name);
    if (shape.length === 1 && name.endsWith("norm.weight"))
      expect(new Set(view)).toEqual(new Set([1]));
    if (shape.length === 1 || name.includes("layers.0.self_attn")) continue;
    const deviation = Math.sqrt(view.reduce((sum, w) => sum + w * w, 0) / view.length);
    const expected = /o_proj|down_proj/.test(name) ? residualWriteScale(store.config) : 1;
    expect((deviation * Math.sqrt(SMALL.hiddenSize)) / expected, name).toBeCloseTo(1, 1);
  }
  expect(queryKeyCorrelation(store, 1)).toBeGreaterThan(0.55);
});

/** Returns the correlation of W_k of a layer's first key head with W_q of its first query head. */
function queryKeyCorrelation(store: ParameterStore, layer: number): number {
  const at = `model.layers.${layer}.self_attn`;
  const size = SMALL.headSize * SMALL.hiddenSize;
  const [q, k] = [store.view(`${at}.q_proj.weight`), store.view(`${at}.k_proj.weight`)];
  const dotProduct = (a: Float32Array, b: Float32Array) => {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += a[i]! * b[i]!;
    return sum;
  };
  return dotProduct(q, k) / Math.sqrt(dotProduct(q, q) * dotProduct(k, k));
}

test.each([1, 2, 4])(
  "with biases, two heads of layer 0 attend one and two tokens back (%i key heads)",
  (kvHeads) => {
    const config = parseModelConfig({ ...SMALL, kvHeads, qkvBias: true });
    const store = new ParameterStore(config);
    initializeParameters(store, 1);
    for (const offset of [1, 2]) {
      const scores = Array.from({ length: 24 }, (_, distance) =>
        biasScore(store, config, offset - 1, distance),
      );
      const best = Math.max(...scores);
      expect(scores.indexOf(best)).toBe(offset);
      const others = scores.filter((_, distance) => distance !== offset);
      expect(best - Math.max(...others)).toBeGreaterThan(3);
    }
  },
);

/** Returns the score that the biases alone give a key `distance` tokens before the query. */
function biasScore(
  store: ParameterStore,
  config: ModelConfig,
  head: number,
  distance: number,
): number {
  const { headSize, heads, kvHeads } = config;
  const kv = Math.floor(head / (heads / kvHeads));
  const biasView = (name: string, at: number) =>
    store
      .view(`model.layers.0.self_attn.${name}.bias`)
      .subarray(at * headSize, (at + 1) * headSize);
  const [q, k] = [biasView("q_proj", head), biasView("k_proj", kv)];
  const half = headSize / 2;
  let score = 0;
  for (let i = 0; i < half; i++) {
    const angle = distance * rotaryFrequency(config, i);
    const [x, y] = [
      q[i]! * Math.cos(angle) - q[i + half]! * Math.sin(angle),
      q[i + half]! * Math.cos(angle) + q[i]! * Math.sin(angle),
    ];
    score += (x * k[i]! + y * k[i + half]!) / Math.sqrt(headSize);
  }
  return score;
}
