/**
 * The engine contract on any server that speaks the Tinker protocol (src/spec/engine.ts; docs/tinker.md).
 *
 * Three things are not as a server has them. Gradients: `accumulate` keeps rows and cotangents here, and `update` sends
 * them in the surrogate that any loss becomes (rows.ts); so `discard` is exact on servers that cannot discard, and a
 * gradient that is not finite never steps. Weights: they outlive the server (remote-model.ts). Calls: with a directory
 * they outlive this program (the client's journal).
 */
import { BowlineError, hash32 } from "../../../core/index.ts";
import type {
  Cotangents,
  Engine,
  EngineInfo,
  EvaluateOptions,
  GroupSteps,
  OptimizerStep,
  Row,
  Sample,
  SampleRequest,
  TokenOutputs,
} from "../../../spec/index.ts";
import {
  checkRequest,
  checkTemperature,
  requireValueHead,
  wireCotangents,
  wireRow,
  wireSteps,
} from "../../onnx/worker/validate.ts";
import { type TinkerClient, TinkerError, type TinkerSampler } from "../client/index.ts";
import type { AdamParams } from "../wire/index.ts";
import { readCheckpoint, type TinkerCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { forwardLogprobs } from "./forward.ts";
import { MAX_PASS_GAP, type RemoteModel } from "./remote-model.ts";
import type { TrainingRow } from "./rows.ts";
import type { ServerTraits } from "./traits.ts";

/** A bound on the gradient's norm that never binds. */
export const NO_CLIP = 1e9;
const SAMPLE_ATTEMPTS = 4;
/** A server that is away is not waited for at the end. */
const LONGEST_CLOSE_MS = 5000;

export interface EngineParts {
  readonly info: EngineInfo;
  readonly client: TinkerClient;
  readonly remote: RemoteModel;
  readonly traits: ServerTraits;
  readonly seed: number;
  readonly baseModel: string;
  readonly rank: number;
  /** Calls are on record: another program may go on with the model. */
  readonly resumable: boolean;
  /** After a checkpoint was written: the journal may forget what came before the one before. */
  readonly onSaved: () => void;
  /** The session of a checkpoint whose later calls are all on record; undefined: there is none. */
  readonly find: (
    checkpoint: TinkerCheckpoint,
  ) => Promise<undefined | Awaited<ReturnType<TinkerClient["attachSession"]>>>;
}

export class TinkerEngine implements Engine {
  readonly info: EngineInfo;
  readonly #parts: EngineParts;
  #pending: TrainingRow[] = [];
  /** Log-probs that `evaluate` gave since the weights last changed, by the row it was given. */
  #known = new WeakMap<Row, Float32Array>();
  /** The present weights are not those that were published. */
  #inFlight = new Set<Promise<unknown>>();
  #base: Promise<TinkerSampler> | undefined;
  #frozen: { readonly path: string; sampler: Promise<TinkerSampler> } | undefined;
  #snapshots = 0;
  #closed = false;

  constructor(parts: EngineParts) {
    this.info = parts.info;
    this.#parts = parts;
  }

  async sample(
    requests: readonly SampleRequest[],
    signal?: AbortSignal,
  ): Promise<readonly Sample[]> {
    this.#requireOpen("sample");
    const { remote, traits } = this.#parts;
    requests.forEach((request, index) => {
      checkRequest(request, index, this.info);
      this.#checkSampling(request, index);
    });
    if (!traits.frozenSamplers && !remote.published) {
      refuse(
        "sample: the weights have changed, and this server samples none but the newest published; call publish() first",
      );
    }
    const all = Promise.all(requests.map((request) => this.#sampleOne(request, signal)));
    this.#inFlight.add(all);
    return all.finally(() => this.#inFlight.delete(all));
  }

  /** Servers keep prefixes by themselves. */
  release(_cacheKey: string): void {}

  async evaluate(
    rows: readonly Row[],
    options: EvaluateOptions = {},
  ): Promise<readonly TokenOutputs[]> {
    this.#requireOpen("evaluate");
    const { temperature = 1, entropies, values, weights = "live" } = options;
    this.#checkOutputs("evaluate", temperature, { entropies, values });
    rows.forEach((row, index) => void wireRow(row, index, this.info));
    if (weights !== "live") return this.#evaluateFrozen(rows, weights);
    const logprobs = await this.#live(rows);
    return logprobs.map((each) => ({ logprobs: each.slice() }));
  }

  async accumulate(
    rows: readonly Row[],
    cotangents: readonly Cotangents[],
    { temperature = 1 }: Pick<EvaluateOptions, "temperature"> = {},
  ): Promise<readonly TokenOutputs[]> {
    this.#requireOpen("accumulate");
    const entropies = cotangents.some((each) => each.entropies);
    const values = cotangents.some((each) => each.values);
    const checked = rows.map((row, index) => wireRow(row, index, this.info));
    const wired = wireCotangents(rows, cotangents);
    this.#checkOutputs("accumulate", temperature, { entropies, values });
    const logprobs = await this.#live(rows);
    checked.forEach((row, i) => {
      if (row.at.length === 0) return;
      this.#pending.push({ row, logprobs: logprobs[i]!, cotangents: wired[i]!.logprobs });
    });
    return logprobs.map((each) => ({ logprobs: each.slice() }));
  }

  async update(steps: OptimizerStep | GroupSteps): Promise<{ gradientNorm: number }> {
    this.#requireOpen("update");
    const { remote, traits } = this.#parts;
    const { policy } = wireSteps(steps, this.info.capabilities);
    const adam = adamOf(policy!, traits);
    if (!traits.frozenSamplers) await Promise.allSettled([...this.#inFlight]);
    const rows = this.#pending;
    this.#pending = [];
    const norm = await remote.step({ rows, adam });
    this.#known = new WeakMap();
    return { gradientNorm: norm ?? Number.NaN };
  }

  async discard(): Promise<void> {
    this.#requireOpen("discard");
    this.#pending = [];
  }

  async publish(): Promise<number> {
    this.#requireOpen("publish");
    if (!this.#parts.traits.frozenSamplers) await Promise.allSettled([...this.#inFlight]);
    return this.#parts.remote.publish();
  }

  async snapshot(): Promise<void> {
    this.#requireOpen("snapshot");
    const { remote } = this.#parts;
    if (!this.info.capabilities.snapshot) {
      refuse(
        "snapshot: this server cannot evaluate frozen weights (it gives no log-probs of prompts, or its samplers do not keep their weights)",
      );
    }
    const path = await remote.freeze(`bowline-ref-${this.#snapshots++}`);
    this.#frozen = { path, sampler: remote.openPath(path) };
    await this.#frozen.sampler;
  }

  async save(directory: string): Promise<void> {
    this.#requireOpen("save");
    if (this.#pending.length > 0) {
      refuse("save: a gradient is accumulated; update() or discard() first");
    }
    writeCheckpoint(directory, await this.#parts.remote.save());
    this.#parts.onSaved();
  }

  async load(directory: string): Promise<void> {
    this.#requireOpen("load");
    const { remote, baseModel, rank, find } = this.#parts;
    const checkpoint = readCheckpoint(directory, { baseModel, rank });
    this.#pending = [];
    this.#known = new WeakMap();
    this.#frozen = undefined;
    await remote.load(checkpoint, () => find(checkpoint));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { remote, client, resumable } = this.#parts;
    if (resumable) client.close();
    const impatience = setTimeout(() => client.close(), LONGEST_CLOSE_MS);
    await remote.close(!resumable).catch(() => undefined);
    clearTimeout(impatience);
    client.close();
  }

  /** Log-probs of the present weights; those of rows that were evaluated since the last step are remembered. */
  async #live(rows: readonly Row[]): Promise<Float32Array[]> {
    const { remote, traits } = this.#parts;
    const known = this.#known;
    const unknown = rows.filter((row) => known.get(row)?.length !== row.at.length);
    if (unknown.length > 0) {
      const found = await remote.run((model) => forwardLogprobs(model, unknown, traits.forward));
      unknown.forEach((row, i) => {
        known.set(row, found[i]!);
      });
    }
    return rows.map((row) => known.get(row)!);
  }

  async #evaluateFrozen(
    rows: readonly Row[],
    weights: "base" | "ref",
  ): Promise<readonly TokenOutputs[]> {
    if (!this.#parts.traits.promptLogprobs) {
      refuse(
        `evaluate: "${weights}" weights need the log-probs of a prompt, which this server does not give (capabilities.snapshot is false)`,
      );
    }
    if (weights === "ref" && this.#frozen === undefined) {
      refuse('evaluate: there are no "ref" weights; call snapshot() first');
    }
    return Promise.all(
      rows.map(async (row) => {
        if (row.at.length === 0) return { logprobs: new Float32Array(0) };
        const tokens = Array.from(row.tokens).slice(0, Math.max(...Array.from(row.at)) + 1);
        const logprobs = await this.#frozenLogprobs(weights, tokens);
        return { logprobs: Float32Array.from(row.at, (i) => logprobs[i - 1]!) };
      }),
    );
  }

  /** A frozen sampler that a restarted server has lost is opened again: its weights are on the disk there. */
  async #frozenLogprobs(weights: "base" | "ref", tokens: readonly number[]): Promise<number[]> {
    for (let attempt = 1; ; attempt++) {
      const opened = this.#frozenSampler(weights);
      try {
        return await (await opened).logprobs(tokens);
      } catch (error) {
        if (!isLostSampler(error) || attempt >= SAMPLE_ATTEMPTS) throw error;
        if (this.#base === opened) this.#base = undefined;
        if (this.#frozen?.sampler === opened) {
          this.#frozen.sampler = this.#parts.remote.openPath(this.#frozen.path);
        }
      }
    }
  }

  #frozenSampler(weights: "base" | "ref"): Promise<TinkerSampler> {
    if (weights === "ref") return this.#frozen!.sampler;
    this.#base ??= this.#parts.remote.base();
    return this.#base;
  }

  async #sampleOne(request: SampleRequest, signal: AbortSignal | undefined): Promise<Sample> {
    const { remote } = this.#parts;
    const policyVersion = request.policyVersion ?? remote.version;
    for (let attempt = 1; ; attempt++) {
      if (signal?.aborted) return { tokens: [], logprobs: [], stop: "cancelled", policyVersion };
      const sampler = await remote.sampler(policyVersion);
      try {
        return { ...(await this.#ask(sampler, request, attempt, signal)), policyVersion };
      } catch (error) {
        if (TinkerError.is(error, "cancelled")) continue;
        if (attempt >= SAMPLE_ATTEMPTS) throw error;
        if (TinkerError.is(error, "non-finite")) continue;
        if (!isLostSampler(error)) throw error;
        await remote.replaceSampler(policyVersion, sampler);
      }
    }
  }

  async #ask(
    sampler: TinkerSampler,
    { tokens, stream, maxTokens, temperature, stopIds }: SampleRequest,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<Omit<Sample, "policyVersion">> {
    const { sequences } = await sampler.sample({
      prompt: tokens,
      // Another turn of a rollout is another seed: servers use the seed afresh for each call.
      seed: hash32(`${stream}/${tokens.length}`, this.#parts.seed) >>> 1,
      maxTokens: Math.min(maxTokens, this.info.contextLength - tokens.length),
      temperature,
      stopIds,
      attempt,
      signal,
    });
    const [sequence] = sequences;
    const stop = stopIds.includes(sequence!.tokens.at(-1)!) ? "stop" : "length";
    return { tokens: sequence!.tokens, logprobs: sequence!.logprobs!, stop };
  }

  #checkSampling({ temperature, policyVersion }: SampleRequest, index: number): void {
    const { traits, remote } = this.#parts;
    if (temperature !== 0 && temperature !== 1 && traits.sampleLogprobs === "raw") {
      refuse(
        `request ${index}: temperature ${temperature}: this server gives the log-probs of the untempered distribution, so only 0 and 1 can be sampled`,
      );
    }
    if (policyVersion === undefined || policyVersion === remote.version) return;
    if (!this.info.capabilities.heldVersions) {
      refuse(
        `request ${index}: policyVersion ${policyVersion}: this server samples only the newest, ${remote.version}`,
      );
    }
  }

  #checkOutputs(
    what: string,
    temperature: number,
    { entropies, values }: { entropies?: boolean | undefined; values?: boolean | undefined },
  ): void {
    checkTemperature(temperature);
    if (values) requireValueHead(this.info.capabilities, `${what}: values are asked for`);
    if (entropies) {
      refuse(
        `${what}: entropies are asked for, but the protocol gives log-probs only (capabilities.entropy is false)`,
      );
    }
    if (temperature === 1) return;
    refuse(
      `${what}: temperature ${temperature}: servers evaluate at temperature 1 only (capabilities.tempered is false); set algo.temperature to 1`,
    );
  }

  #requireOpen(what: string): void {
    if (this.#closed) refuse(`${what}: the engine is closed`);
  }
}

function isLostSampler(error: unknown): boolean {
  return TinkerError.is(error, "session-lost", "model-lost", "missing", "future-lost", "uncertain");
}

function adamOf(step: OptimizerStep, { gradientClip }: ServerTraits): AdamParams {
  const { maxGradientNorm, learningRate, epsilon, weightDecay, beta1, beta2 } = step;
  const clips = maxGradientNorm < NO_CLIP;
  if (clips && !gradientClip) {
    refuse(
      `update: maxGradientNorm ${maxGradientNorm}: this server does not clip gradients (capabilities.gradientClip is false); set optimizer.maxGradientNorm to ${NO_CLIP} and lower the learning rate`,
    );
  }
  return {
    learning_rate: learningRate,
    beta1,
    beta2,
    eps: epsilon,
    weight_decay: weightDecay,
    grad_clip_norm: clips ? maxGradientNorm : 0,
  };
}

function refuse(message: string): never {
  throw new BowlineError("engine", message);
}

/** Half-precision kernels of two programs agree to this, not to rounding. */
export const TOLERANCE = { samplerGap: MAX_PASS_GAP, firstRatio: 1e-2 };
