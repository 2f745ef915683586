/**
 * A backend whose model is a table with the logits of the next token for each last token. It trains for real, in
 * microseconds, so tests can make many calls. The simulated behaviours of servers can be wrapped around it.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hash32, Rng } from "../../src/core/index.ts";
import type {
  AdamParams,
  Backend,
  BaseModel,
  BatchResult,
  FrozenWeights,
  LossBatch,
  SampleResult,
  SamplingJob,
} from "../../src/server/index.ts";
import { computeTokenLoss } from "../../src/server/tinker/losses.ts";

const VOCABULARY = 48;

interface Table {
  weights: Float64Array;
  gradient: Float64Array;
  first: Float64Array;
  second: Float64Array;
  steps: number;
  accumulated: number;
}

/** The backend of the table model; token 3 ends a text. */
export class ToyBackend implements Backend {
  readonly base: BaseModel = {
    name: "toy",
    vocabularySize: VOCABULARY,
    contextLength: 64,
    stopIds: [3],
  };
  readonly #start: Float64Array;
  readonly #models = new Map<string, Table>();

  constructor(seed = 1) {
    const rng = new Rng(seed);
    this.#start = Float64Array.from({ length: VOCABULARY ** 2 }, () => rng.normal());
  }

  async createModel(id: string): Promise<void> {
    this.#models.set(id, this.#createTable(this.#start.slice()));
  }

  async forward(id: string, batch: LossBatch): Promise<BatchResult> {
    return this.#runPass(this.#requireModel(id), batch, () => {});
  }

  async forwardBackward(id: string, batch: LossBatch): Promise<BatchResult> {
    const model = this.#requireModel(id);
    model.accumulated += 1;
    return this.#runPass(model, batch, (from, target, slope) => {
      const p = nextTokenProbabilities(model.weights, from, 1);
      p.forEach((value, j) => {
        model.gradient[from * VOCABULARY + j]! += slope * ((j === target ? 1 : 0) - value);
      });
    });
  }

  async optimStep(id: string, adam: AdamParams): Promise<Record<string, number>> {
    const model = this.#requireModel(id);
    if (model.accumulated === 0) throw new Error("optim_step without a gradient");
    const norm = Math.hypot(...model.gradient);
    const scale = adam.grad_clip_norm > 0 ? Math.min(1, adam.grad_clip_norm / norm) : 1;
    model.steps += 1;
    model.gradient.forEach((raw, i) => {
      stepWeight(model, i, raw * scale, adam);
    });
    model.gradient.fill(0);
    model.accumulated = 0;
    return { "grad_norm:mean": norm };
  }

  async saveTraining(id: string, directory: string): Promise<void> {
    mkdirSync(directory, { recursive: true });
    const { weights, first, second, steps } = this.#requireModel(id);
    const kept = { weights: [...weights], first: [...first], second: [...second], steps };
    writeFileSync(join(directory, "table.json"), JSON.stringify(kept));
  }

  async loadTraining(id: string, directory: string, { optimizer }: { optimizer: boolean }) {
    const { weights, first, second, steps } = readTable(directory);
    const fresh = this.#createTable(Float64Array.from(weights));
    if (optimizer) {
      Object.assign(fresh, {
        first: Float64Array.from(first),
        second: Float64Array.from(second),
        steps,
      });
    }
    this.#models.set(id, fresh);
  }

  saveSampler(id: string, directory: string): Promise<void> {
    return this.saveTraining(id, directory);
  }

  async unloadModel(id: string): Promise<void> {
    this.#models.delete(id);
  }

  async sample(frozen: FrozenWeights | undefined, job: SamplingJob): Promise<SampleResult> {
    const weights = frozen ? Float64Array.from(readTable(frozen.directory).weights) : this.#start;
    const { prompt, streams, promptLogprobs } = job;
    const sequences = streams.map((stream) =>
      sampleSequence(weights, job, this.base.stopIds, stream),
    );
    if (promptLogprobs === 0) return { sequences };
    const from = (i: number) => nextTokenProbabilities(weights, prompt[i - 1]!, 1);
    const logprobs = prompt.map((id, i) => (i === 0 ? null : Math.log(from(i)[id]!)));
    return { sequences, promptLogprobs: logprobs };
  }

  async close(): Promise<void> {}

  #runPass(
    { weights }: Table,
    batch: LossBatch,
    visit: (from: number, target: number, slope: number) => void,
  ): BatchResult {
    let total = 0;
    const logprobs: Float32Array[] = [];
    const losses: Float32Array[] = [];
    for (const datum of batch.data) {
      const { tokens, targets } = datum;
      const row = Array.from(targets, (target, t) => {
        const lp = Math.log(nextTokenProbabilities(weights, tokens[t]!, 1)[target]!);
        const { loss, slope } = computeTokenLoss(batch, datum, t, lp);
        visit(tokens[t]!, target, slope);
        total += loss;
        return { lp, loss };
      });
      logprobs.push(Float32Array.from(row, ({ lp }) => lp));
      losses.push(Float32Array.from(row, ({ loss }) => loss));
    }
    return { logprobs, losses, loss: total, skipped: 0 };
  }

  #createTable(weights: Float64Array): Table {
    const zeros = () => new Float64Array(VOCABULARY ** 2);
    return {
      weights,
      gradient: zeros(),
      first: zeros(),
      second: zeros(),
      steps: 0,
      accumulated: 0,
    };
  }

  #requireModel(id: string): Table {
    const model = this.#models.get(id);
    if (model === undefined) throw new Error(`Model ${id} is not loaded`);
    return model;
  }
}

function stepWeight(model: Table, i: number, gradient: number, adam: AdamParams): void {
  const { learning_rate, beta1, beta2, eps, weight_decay } = adam;
  model.first[i] = beta1 * model.first[i]! + (1 - beta1) * gradient;
  model.second[i] = beta2 * model.second[i]! + (1 - beta2) * gradient ** 2;
  const first = model.first[i]! / (1 - beta1 ** model.steps);
  const second = model.second[i]! / (1 - beta2 ** model.steps);
  model.weights[i]! -= learning_rate * (first / (Math.sqrt(second) + eps));
  model.weights[i]! -= learning_rate * weight_decay * model.weights[i]!;
}

function nextTokenProbabilities(
  weights: Float64Array,
  from: number,
  temperature: number,
): Float64Array {
  const logits = weights.subarray(from * VOCABULARY, (from + 1) * VOCABULARY);
  const top = Math.max(...logits);
  const p = Float64Array.from(logits, (value) => Math.exp((value - top) / temperature));
  const total = p.reduce((sum, value) => sum + value, 0);
  return p.map((value) => value / total);
}

function sampleSequence(
  weights: Float64Array,
  job: SamplingJob,
  modelStops: readonly number[],
  stream: number,
): SampleResult["sequences"][number] {
  const { prompt, maxTokens, temperature, stopIds, endsAtModelStop, temperedLogprobs } = job;
  const stops = new Set([...stopIds, ...(endsAtModelStop ? modelStops : [])]);
  const rng = new Rng(hash32(`${stream}`));
  const tokens: number[] = [];
  const logprobs: number[] = [];
  while (tokens.length < maxTokens) {
    const from = tokens.at(-1) ?? prompt.at(-1)!;
    const raw = nextTokenProbabilities(weights, from, 1);
    const tempered = temperature === 0 ? raw : nextTokenProbabilities(weights, from, temperature);
    const id =
      temperature === 0 ? raw.indexOf(Math.max(...raw)) : pickToken(tempered, rng.uniform());
    tokens.push(id);
    logprobs.push(Math.log((temperedLogprobs ? tempered : raw)[id]!));
    if (stops.has(id)) return { stop: "stop", tokens, logprobs };
  }
  return { stop: "length", tokens, logprobs };
}

function pickToken(p: Float64Array, uniform: number): number {
  let remaining = uniform;
  const found = p.findIndex((value) => {
    remaining -= value;
    return remaining < 0;
  });
  return found < 0 ? p.length - 1 : found;
}

interface StoredTable {
  readonly weights: readonly number[];
  readonly first: readonly number[];
  readonly second: readonly number[];
  readonly steps: number;
}

function readTable(directory: string): StoredTable {
  return JSON.parse(readFileSync(join(directory, "table.json"), "utf8")) as StoredTable;
}
