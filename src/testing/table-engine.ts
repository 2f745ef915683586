/**
 * An engine whose policy is a table: p(next | previous token) is a row of logits, so gradients are exact and a whole run
 * takes milliseconds. It is enough to learn which of several words to say, which is all that the fake world asks, as long as
 * no letter of them occurs twice.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, hash32, readJson, writeFileAtomic } from "../core/index.ts";
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
  draw,
  entropyOf,
  forgetMoments,
  type Logits,
  logitsOf,
  type PackedTable,
  packedRows,
  softmax,
  sumOfSquares,
  type Table,
  unpackedRows,
  updateRows,
} from "./table.ts";

/**
 * A bigram table with exact gradients and AdamW. It starts uniform; nothing in it is random but the sampling. It offers
 * all that an engine may: entropies, a frozen reference, and a value of the state after each token.
 */
export function tableEngine(vocabularySize: number): Engine {
  let live: Table = { rows: {}, values: {}, steps: 0, valueSteps: 0, version: 0 };
  let published = logitsOf(live.rows);
  /** What was published before, by version. */
  const held = new Map<number, Logits>();
  let frozen: Logits | undefined;
  let gradient = new Map<number, Float64Array>();
  let valueGradient = new Map<number, Float64Array>();
  const zeros = () => new Float64Array(vocabularySize);

  /** Softmaxes of the present rows; dropped whenever they change. */
  const memo = new Map<string, Float64Array>();
  const probabilities = (rows: Logits, previous: number, temperature: number) => {
    if (rows !== live.rows && rows !== published && rows !== frozen) {
      return softmaxOf(rows, previous, temperature);
    }
    const name = rows === published ? "published" : rows === frozen ? "frozen" : "live";
    const key = `${name} ${previous} ${temperature}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    const result = softmaxOf(rows, previous, temperature);
    memo.set(key, result);
    return result;
  };
  const softmaxOf = (rows: Logits, previous: number, temperature: number) =>
    softmax(rows[previous]?.logits ?? zeros(), temperature);
  const rowsUnder = (weights: EvaluateOptions["weights"] = "live") => {
    const rows = { live: live.rows, ref: frozen, base: undefined }[weights];
    if (rows !== undefined) return rows;
    throw new BowlineError("engine", `the table engine has no "${weights}" weights`);
  };
  const evaluateRow = ({ tokens, at }: Row, options: EvaluateOptions = {}): TokenOutputs => {
    const { temperature = 1, entropies, values, weights } = options;
    const rows = rowsUnder(weights);
    const before = (i: number) => probabilities(rows, tokens[i - 1]!, temperature);
    return {
      logprobs: Float32Array.from(at, (i) => Math.log(before(i)[tokens[i]!]!)),
      ...(entropies && { entropies: Float32Array.from(at, (i) => entropyOf(before(i))) }),
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
      const sum = gradient.get(previous) ?? zeros();
      gradient.set(previous, sum);
      const row = probabilities(live.rows, previous, temperature);
      const entropy = entropies ? entropyOf(row) : 0;
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
  const rowsOf = (version: number) => {
    const rows = version === live.version ? published : held.get(version);
    if (rows) return rows;
    throw new BowlineError("engine", `the table engine does not hold version ${version}`);
  };
  const sampleOne = (request: SampleRequest): Sample => {
    const { policyVersion = live.version } = request;
    const sampler = rowsOf(policyVersion);
    const tokens: number[] = [];
    const logprobs: number[] = [];
    for (let previous = request.tokens.at(-1)!; tokens.length < request.maxTokens; ) {
      const row = probabilities(sampler, previous, request.temperature || 1);
      const position = request.tokens.length + tokens.length;
      const uniform = hash32(String(position), request.stream) / 2 ** 32;
      const next = request.temperature === 0 ? argmax(row) : draw(row, uniform);
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
          zeros,
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
      memo.clear();
      return { gradientNorm, valueNorm };
    },
    discard: async () => {
      gradient = new Map();
      valueGradient = new Map();
    },
    publish: async () => {
      held.set(live.version, published);
      published = logitsOf(live.rows);
      memo.clear();
      return ++live.version;
    },
    snapshot: async () => {
      frozen = logitsOf(live.rows);
      memo.clear();
    },
    save: async (directory) => {
      mkdirSync(directory, { recursive: true });
      const { rows, values, ...counts } = live;
      const packed = { ...counts, rows: packedRows(rows), values: packedRows(values) };
      writeFileAtomic(join(directory, "table.json"), JSON.stringify(packed));
    },
    load: async (directory, { moments = "kept" } = {}) => {
      const { rows, values, ...counts } = readJson(join(directory, "table.json")) as PackedTable;
      live = { ...counts, rows: unpackedRows(rows), values: unpackedRows(values) };
      if (moments === "fresh") forgetMoments(live);
      published = logitsOf(live.rows);
      frozen = undefined;
      memo.clear();
    },
    close: async () => {},
  };
}
