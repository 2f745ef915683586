/**
 * An engine whose policy is a table of logits for p(next token | previous token). Its gradients are exact and a whole
 * run takes milliseconds. It can learn which of several words to say, as the fake world asks, if no letter occurs twice
 * in them.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  BowlineError,
  errorMessage,
  hash32,
  readCheckedJson,
  writeFileAtomic,
} from "../core/index.ts";
import type {
  Cotangents,
  Engine,
  EvaluateOptions,
  GroupSteps,
  OptimizerStep,
  Row,
  Sample,
  SampleRequest,
  TokenOutputs,
} from "../spec/index.ts";
import {
  argmax,
  computeEntropy,
  copyLogits,
  type LogitRows,
  packedTableSchema,
  packRows,
  resetMoments,
  sampleIndex,
  softmax,
  sumOfSquares,
  type Table,
  unpackRows,
  updateRows,
} from "./table-rows.ts";

/**
 * Creates an engine of a bigram table with exact gradients and AdamW. The table starts uniform, and only sampling is
 * random. The engine offers entropies, a frozen reference, and a value of the state after each token.
 */
export function tableEngine(vocabularySize: number): Engine {
  let live: Table = { rows: {}, values: {}, steps: 0, valueSteps: 0, version: 0 };
  let published = copyLogits(live.rows);
  /** The logits that were published before the newest, by version. */
  const earlierVersions = new Map<number, LogitRows>();
  let frozen: LogitRows | undefined;
  let gradient = new Map<number, Float64Array>();
  let valueGradient = new Map<number, Float64Array>();
  const createZeros = () => new Float64Array(vocabularySize);

  /** The probabilities of the present rows. The cache is cleared whenever the rows change. */
  const softmaxCache = new Map<string, Float64Array>();
  const computeProbabilities = (rows: LogitRows, previous: number, temperature: number) => {
    if (rows !== live.rows && rows !== published && rows !== frozen) {
      return softmaxOfRow(rows, previous, temperature);
    }
    const name = rows === published ? "published" : rows === frozen ? "frozen" : "live";
    const key = `${name} ${previous} ${temperature}`;
    const cached = softmaxCache.get(key);
    if (cached !== undefined) return cached;
    const result = softmaxOfRow(rows, previous, temperature);
    softmaxCache.set(key, result);
    return result;
  };
  const softmaxOfRow = (rows: LogitRows, previous: number, temperature: number) =>
    softmax(rows[previous]?.logits ?? createZeros(), temperature);
  const selectWeights = (weights: EvaluateOptions["weights"] = "live") => {
    const rows = { live: live.rows, ref: frozen, base: undefined }[weights];
    if (rows !== undefined) return rows;
    throw new BowlineError("engine", `the table engine has no "${weights}" weights`);
  };
  const evaluateRow = ({ tokens, at }: Row, options: EvaluateOptions = {}): TokenOutputs => {
    const { temperature = 1, entropies, values, weights } = options;
    const rows = selectWeights(weights);
    const probabilitiesBefore = (i: number) =>
      computeProbabilities(rows, tokens[i - 1]!, temperature);
    return {
      logprobs: Float32Array.from(at, (i) => Math.log(probabilitiesBefore(i)[tokens[i]!]!)),
      ...(entropies && {
        entropies: Float32Array.from(at, (i) => computeEntropy(probabilitiesBefore(i))),
      }),
      ...(values && {
        values: Float32Array.from(at, (i) => live.values[tokens[i - 1]!]?.logits[0] ?? 0),
      }),
    };
  };
  const addGradient = (
    { tokens, at }: Row,
    { logprobs, entropies, values }: Cotangents,
    temperature: number,
  ) => {
    Array.from(at).forEach((i, t) => {
      const previous = tokens[i - 1]!;
      const sum = gradient.get(previous) ?? createZeros();
      gradient.set(previous, sum);
      const row = computeProbabilities(live.rows, previous, temperature);
      const entropy = entropies ? computeEntropy(row) : 0;
      for (let token = 0; token < row.length; token++) {
        const probability = row[token]!;
        const indicator = token === tokens[i] ? 1 : 0;
        sum[token]! += (logprobs[t]! * (indicator - probability)) / temperature;
        if (entropies === undefined) continue;
        sum[token]! -=
          (entropies[t]! * probability * (Math.log(probability) + entropy)) / temperature;
      }
      if (values === undefined) return;
      const [before = 0] = valueGradient.get(previous) ?? [];
      valueGradient.set(previous, Float64Array.of(before + values[t]!));
    });
  };
  const findPublishedLogits = (version: number) => {
    const rows = version === live.version ? published : earlierVersions.get(version);
    if (rows) return rows;
    throw new BowlineError("engine", `the table engine does not hold version ${version}`);
  };
  const sampleOne = (request: SampleRequest): Sample => {
    const { policyVersion = live.version, filter } = request;
    if (filter) throw new BowlineError("engine", "the table engine has no filters for sampling");
    const sampler = findPublishedLogits(policyVersion);
    const tokens: number[] = [];
    const logprobs: number[] = [];
    for (let previous = request.tokens.at(-1)!; tokens.length < request.maxTokens; ) {
      const row = computeProbabilities(sampler, previous, request.temperature || 1);
      const position = request.tokens.length + tokens.length;
      const uniform = hash32(String(position), request.stream) / 2 ** 32;
      const next = request.temperature === 0 ? argmax(row) : sampleIndex(row, uniform);
      tokens.push(next);
      logprobs.push(Math.fround(Math.log(row[next]!)));
      if (request.stopIds.includes(next)) break;
      previous = next;
    }
    const stop = request.stopIds.includes(tokens.at(-1)!) ? "stop" : "length";
    return { tokens, logprobs, stop, policyVersion };
  };
  return {
    info: {
      name: "table",
      vocabularySize,
      contextLength: 1 << 20,
      parameters: vocabularySize ** 2,
      trainableParameters: vocabularySize ** 2,
      threads: 1,
      capabilities: {
        entropy: true,
        value: true,
        snapshot: true,
        gradientClip: true,
        discard: true,
        heldVersions: true,
      },
    },
    sample: async (requests, signal) =>
      requests.map((request) =>
        signal?.aborted
          ? { tokens: [], logprobs: [], stop: "cancelled", policyVersion: live.version }
          : sampleOne(request),
      ),
    release: () => {},
    evaluate: async (rows: readonly Row[], options?: EvaluateOptions) =>
      rows.map((row) => evaluateRow(row, options)),
    async accumulate(
      rows: readonly Row[],
      cotangents: readonly Cotangents[],
      options?: Pick<EvaluateOptions, "temperature">,
    ) {
      if (cotangents.some(({ ratio }) => ratio)) {
        throw new BowlineError("engine", "the table engine has no capability ratioCotangents");
      }
      rows.forEach((row, i) => {
        addGradient(row, cotangents[i]!, options?.temperature ?? 1);
      });
      return rows.map((row) => evaluateRow(row, options));
    },
    async update(step: OptimizerStep | GroupSteps) {
      const groups: GroupSteps = "learningRate" in step ? { policy: step } : step;
      const gradientNorm = Math.sqrt(sumOfSquares(gradient.values()));
      const valueNorm = Math.sqrt(sumOfSquares(valueGradient.values()));
      if (groups.policy) {
        live.steps += 1;
        updateRows(
          live.rows,
          gradient,
          createZeros,
          { norm: gradientNorm, steps: live.steps },
          groups.policy,
        );
      }
      if (groups.value) {
        live.valueSteps += 1;
        const count = { norm: valueNorm, steps: live.valueSteps };
        updateRows(live.values, valueGradient, () => new Float64Array(1), count, groups.value);
      }
      gradient = new Map();
      valueGradient = new Map();
      softmaxCache.clear();
      return { gradientNorm, valueNorm };
    },
    discard: async () => {
      gradient = new Map();
      valueGradient = new Map();
    },
    publish: async () => {
      earlierVersions.set(live.version, published);
      published = copyLogits(live.rows);
      softmaxCache.clear();
      return ++live.version;
    },
    snapshot: async () => {
      frozen = copyLogits(live.rows);
      softmaxCache.clear();
    },
    save: async (directory) => {
      mkdirSync(directory, { recursive: true });
      const { rows, values, ...counts } = live;
      const packed = { ...counts, rows: packRows(rows), values: packRows(values) };
      writeFileAtomic(join(directory, "table.json"), JSON.stringify(packed));
    },
    load: async (directory, { moments = "kept" } = {}) => {
      live = readTable(join(directory, "table.json"));
      if (moments === "fresh") resetMoments(live);
      published = copyLogits(live.rows);
      frozen = undefined;
      softmaxCache.clear();
    },
    close: async () => {},
  };
}

/** Reads the table of a checkpoint. Throws a `checkpoint` error that names the file when it is damaged. */
function readTable(path: string): Table {
  const { rows, values, ...counts } = readCheckedJson(path, packedTableSchema);
  try {
    return { ...counts, rows: unpackRows(rows), values: unpackRows(values) };
  } catch (cause) {
    throw new BowlineError("checkpoint", `${path} is damaged: ${errorMessage(cause)}`, { cause });
  }
}
