/**
 * Fakes that keep the contracts: a world of one-line tasks in memory, and an engine whose policy is a table.
 *
 * The table engine models p(next | previous token) by a row of logits, so gradients are exact and a whole run takes
 * milliseconds. It is enough to learn which of several words to say, which is all that the fake world asks, as long as no letter of them occurs twice.
 */
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeEpisode, fakeTask, stepResult } from "../agent/index.ts";
import { BowlineError, hash32, readJson, writeFileAtomic } from "../core/index.ts";
import type {
  Cotangents,
  Engine,
  Episode,
  EvaluateOptions,
  GroupSteps,
  OptimizerStep,
  Row,
  Sample,
  SampleRequest,
  Split,
  TaskInfo,
  TokenOutputs,
  World,
} from "../spec/index.ts";
import { resolveDials } from "../world/index.ts";
import type { Parts } from "./parts.ts";

/** Tasks ask for "yes"; "no" finishes too, and anything else does not. Half of the checks are guards. */
export function fakeWorld(options: { readonly hasSolutions?: boolean } = {}): World {
  const tasks = (split: Split, scenarios = 4): TaskInfo[] =>
    Array.from({ length: scenarios * 3 }, (_, i) =>
      fakeTask({
        id: `${split}/${Math.floor(i / 3)}/${i % 3}`,
        scenario: `${split}/${Math.floor(i / 3)}`,
        split,
        signature: `say ${i % 2}`,
        instruction: `Do it ${i}.`,
      }),
    );
  const open = (taskId: string) => {
    const [split, scenario, variant] = taskId.split("/");
    const task = tasks(split as Split, Number(scenario) + 1)[
      Number(scenario) * 3 + Number(variant)
    ]!;
    const episode = fakeEpisode({
      task,
      run: (code) => {
        const finished = code === "yes" || code === "no";
        return stepResult({ text: finished ? "done" : "what?", finished });
      },
    });
    return judged(episode, []);
  };
  return {
    name: "fake",
    seed: 1,
    dials: resolveDials(),
    hasSolutions: options.hasSolutions ?? true,
    tasks,
    open: async (taskId) => open(taskId),
    async demonstrate(taskId, style) {
      const episode = open(taskId);
      const code = style === "careful" ? "yes" : "no";
      const turns = [{ code, result: await episode.step(code) }];
      return { task: episode.task, style, turns, evaluation: await episode.evaluate() };
    },
    close: async () => {},
  };
}

/** Passes when the last cell was "yes". A fork remembers what was said before it. */
function judged(episode: Episode, said: readonly string[]): Episode {
  const cells = [...said];
  return {
    ...episode,
    step: (code, signal) => {
      cells.push(code);
      return episode.step(code, signal);
    },
    evaluate: async () => {
      const { finished } = await episode.evaluate();
      const passed = cells.at(-1) === "yes";
      return {
        passed,
        finished,
        checks: [
          { name: "said yes", label: "progress", passed },
          { name: "nothing else", label: "guard", passed: true },
        ],
      };
    },
    fork: async () => judged(await episode.fork(), cells),
  };
}

/** Logits of the next token after one token, with AdamW's moments. All zero until a gradient reaches it. */
interface TableRow {
  readonly logits: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

/** What sampling and references need of a table. */
type Logits = { readonly [previous: number]: Pick<TableRow, "logits"> };

interface Table {
  rows: { [previous: number]: TableRow };
  /** The value of the state after each token: rows of one number. */
  values: { [previous: number]: TableRow };
  steps: number;
  valueSteps: number;
  version: number;
}

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
      return softmax(rows, previous, temperature);
    }
    const name = rows === published ? "published" : rows === frozen ? "frozen" : "live";
    const key = `${name} ${previous} ${temperature}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    const result = softmax(rows, previous, temperature);
    memo.set(key, result);
    return result;
  };
  const softmax = (rows: Logits, previous: number, temperature: number) => {
    const logits = rows[previous]?.logits ?? zeros();
    const top = Math.max(...logits);
    const weights = logits.map((logit) => Math.exp((logit - top) / temperature));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  };
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
      row.forEach((probability, token) => {
        const indicator = token === tokens[i] ? 1 : 0;
        sum[token]! += (logprobs[t]! * (indicator - probability)) / temperature;
        if (entropies === undefined) return;
        sum[token]! -=
          (entropies[t]! * probability * (Math.log(probability) + entropy)) / temperature;
      });
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
    load: async (directory) => {
      const { rows, values, ...counts } = readJson(join(directory, "table.json")) as PackedTable;
      live = { ...counts, rows: unpackedRows(rows), values: unpackedRows(values) };
      published = logitsOf(live.rows);
      frozen = undefined;
      memo.clear();
    },
    close: async () => {},
  };
}

/** Rows as base64 of doubles: a checkpoint that is written in no time and loses no bit. */
type PackedRows = { readonly [previous: string]: string };
type PackedTable = Omit<Table, "rows" | "values"> & {
  readonly rows: PackedRows;
  readonly values: PackedRows;
};

function packedRows(rows: Table["rows"]): PackedRows {
  const pack = ({ logits, first, second }: TableRow) =>
    Buffer.concat([logits, first, second].map(({ buffer }) => new Uint8Array(buffer))).toString(
      "base64",
    );
  return Object.fromEntries(Object.entries(rows).map(([previous, row]) => [previous, pack(row)]));
}

function unpackedRows(packed: PackedRows): Table["rows"] {
  const unpack = (text: string): TableRow => {
    const bytes = Uint8Array.from(Buffer.from(text, "base64"));
    const values = new Float64Array(bytes.buffer);
    const size = values.length / 3;
    const [logits, first, second] = [0, 1, 2].map((i) => values.slice(i * size, (i + 1) * size));
    return { logits: logits!, first: first!, second: second! };
  };
  return Object.fromEntries(
    Object.entries(packed).map(([previous, text]) => [previous, unpack(text)]),
  );
}

function logitsOf(rows: Table["rows"]): Logits {
  return Object.fromEntries(
    Object.entries(rows).map(([previous, { logits }]) => [previous, { logits: logits.slice() }]),
  );
}

function entropyOf(probabilities: Float64Array): number {
  return -probabilities.reduce((sum, p) => sum + (p === 0 ? 0 : p * Math.log(p)), 0);
}

/** One step of all rows that there are; a row that a gradient reaches for the first time is made. */
function updateRows(
  rows: Table["rows"],
  gradient: ReadonlyMap<number, Float64Array>,
  zeros: () => Float64Array,
  { norm, steps }: { readonly norm: number; readonly steps: number },
  step: OptimizerStep,
): void {
  const scale = Math.min(1, step.maxGradientNorm / Math.max(norm, 1e-12));
  for (const previous of gradient.keys()) {
    rows[previous] ??= { logits: zeros(), first: zeros(), second: zeros() };
  }
  for (const [previous, row] of Object.entries(rows)) {
    adamW(row, gradient.get(Number(previous)) ?? zeros(), scale, steps, step);
  }
}

function adamW(
  row: TableRow,
  gradient: Float64Array,
  scale: number,
  steps: number,
  step: OptimizerStep,
): void {
  const { beta1, beta2, epsilon, learningRate, weightDecay } = step;
  const decay = 1 - learningRate * weightDecay;
  const firstShare = 1 - beta1 ** steps;
  const secondShare = 1 - beta2 ** steps;
  gradient.forEach((raw, i) => {
    const first = beta1 * row.first[i]! + (1 - beta1) * raw * scale;
    const second = beta2 * row.second[i]! + (1 - beta2) * (raw * scale) ** 2;
    const move = first / firstShare / (Math.sqrt(second / secondShare) + epsilon);
    row.first[i] = first;
    row.second[i] = second;
    row.logits[i] = row.logits[i]! * decay - learningRate * move;
  });
}

function sumOfSquares(rows: Iterable<Float64Array>): number {
  let sum = 0;
  for (const row of rows) for (const value of row) sum += value * value;
  return sum;
}

function argmax(values: Float64Array): number {
  return values.indexOf(Math.max(...values));
}

function draw(probabilities: Float64Array, uniform: number): number {
  let sum = 0;
  for (let token = 0; token < probabilities.length; token++) {
    sum += probabilities[token]!;
    if (uniform < sum) return token;
  }
  return probabilities.length - 1;
}

/** Fakes for `trainWith`. */
export function fakeParts(world: World = fakeWorld()): Parts {
  return {
    openWorld: async () => world,
    createEngine: async (_name, { model }) => tableEngine(model.vocabularySize),
  };
}

/** A new folder in memory where there is some: a run flushes every checkpoint to disk, which there costs nothing. */
export function memoryFolder(prefix: string): string {
  return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), prefix));
}

/** A run of fakes in milliseconds: what tests of whole runs have in common. */
export const FAKE_RUN = {
  "tokenizer.vocabularySize": 280,
  "tokenizer.minimumCount": 5,
  "warm.demonstrations": 96,
  "warm.rows": 8,
  "warm.learningRate": 0.8,
  "warm.hastyShare": 0.75,
  "optimizer.learningRate": 0.1,
  "scaffold.maxTurns": 2,
  "scaffold.evaluationTurns": 2,
  "scaffold.maxTurnTokens": 8,
  "evaluation.every": 0,
  "evaluation.sampled": false,
};
