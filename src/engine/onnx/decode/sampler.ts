/**
 * Continuous batching: every request is a row that joins the batch when it arrives and leaves when it is finished.
 *
 * `runPass` makes one pass. It either fills caches (a block of 16 positions for every row without keys and values) or
 * continues every ready row by one token. Which of the two it does, which rows are in the batch and when requests
 * arrive change only the speed, because a token is a function of (weights, tokens, stream, position, options); see
 * decode-graphs.ts and random.ts.
 */
import { BowlineError } from "../../../core/index.ts";
import type { Sample, SampleFilter, SampleRequest } from "../../../spec/index.ts";
import type { AdapterStore, ParameterStore } from "../model/index.ts";
import { shouldWaitFor } from "./cache-row.ts";
import { BLOCK_LENGTH } from "./decode-graphs.ts";
import { DecodeRunner } from "./decode-runner.ts";
import { effectiveFilter } from "./filtered-draw.ts";
import { type CacheRow, PrefixCache } from "./prefix-cache.ts";
import { streamKey, uniformAt } from "./random.ts";
import { canUseSegments } from "./segmented-attention.ts";

export interface SamplerOptions {
  readonly seed: number;
  readonly threads: number;
  /** The number of rows with cached keys and values, busy and idle together. */
  readonly maxLiveRows: number;
  /**
   * The most bytes of their keys and values, shared ones counted once. One row is always allowed. Default: no limit.
   */
  readonly maxCacheBytes?: number | undefined;
  /** Whether prefixes that rows have in common are stored and attended to once. Default: true. */
  readonly sharePrefixes?: boolean | undefined;
  /** The LoRA adapter. It is read in place, without a copy of the weights. */
  readonly adapter?: AdapterStore | undefined;
}

/** A pass fills caches when the waiting rows exceed this share of the ready rows. */
const WAITING_SHARE = 1 / 8;

/** A request in the sampler, with what was sampled for it so far. */
interface SampleJob {
  readonly request: SampleRequest;
  readonly stopIds: ReadonlySet<number>;
  /** The key of the request's random stream. */
  readonly randomKey: number;
  /** The filter of the draws, if it changes them. */
  readonly filter: SampleFilter | undefined;
  readonly resolve: (sample: Omit<Sample, "policyVersion">) => void;
  readonly tokens: number[];
  readonly logprobs: number[];
  /** The length of the whole row at which sampling ends. */
  readonly maxLength: number;
  row: CacheRow | undefined;
  isCancelled: boolean;
}

/** A request that was given to the sampler. */
export interface SubmittedRequest {
  readonly sample: Promise<Omit<Sample, "policyVersion">>;
  /** Ends the request at the next pass with the tokens so far. */
  cancel(): void;
}

/** Serves sample requests by continuous batching. */
export class Sampler {
  readonly #options: SamplerOptions;
  readonly #contextLength: number;
  readonly #vocabularySize: number;
  readonly #sharesPrefixes: boolean;
  readonly #cache: PrefixCache;
  readonly #runner: DecodeRunner;
  #queue: SampleJob[] = [];
  #running: SampleJob[] = [];
  readonly #finished = new Set<SampleJob>();

  constructor(parameters: ParameterStore, options: SamplerOptions) {
    const { config } = parameters;
    this.#options = options;
    this.#contextLength = config.contextLength;
    this.#vocabularySize = config.vocabularySize;
    this.#runner = new DecodeRunner(parameters, options.threads, options.adapter);
    const { threads, maxLiveRows, maxCacheBytes, sharePrefixes = true } = options;
    const { device } = this.#runner;
    this.#sharesPrefixes = sharePrefixes && !device && canUseSegments(config, threads);
    this.#cache = new PrefixCache(config, {
      maxRows: maxLiveRows,
      maxBytes: maxCacheBytes,
      minSlots: this.#runner.smallestBatch,
      usesSegments: this.#sharesPrefixes,
      device,
    });
  }

  get isBusy(): boolean {
    return this.#queue.length + this.#running.length > 0;
  }

  /** Queues a request. It must be valid (see contract/validate.ts) and leave room for one token. */
  submit(request: SampleRequest): SubmittedRequest {
    let resolve: SampleJob["resolve"] = () => {};
    const sample = new Promise<Omit<Sample, "policyVersion">>((settle) => {
      resolve = settle;
    });
    const { tokens, maxTokens, stopIds, stream } = request;
    const job: SampleJob = {
      request,
      stopIds: new Set(stopIds),
      randomKey: streamKey(this.#options.seed, stream),
      filter: effectiveFilter(request, this.#vocabularySize),
      resolve,
      tokens: [],
      logprobs: [],
      maxLength: Math.min(tokens.length + maxTokens, this.#contextLength),
      row: undefined,
      isCancelled: false,
    };
    this.#queue.push(job);
    const cancel = () => {
      job.isCancelled = true;
    };
    return { sample, cancel };
  }

  releasePrefix(cacheKey: string): void {
    this.#cache.releaseKey(cacheKey);
  }

  /** Drops all kept prefixes because the weights changed. No request may be running. */
  forgetPrefixes(): void {
    this.#cache.clear();
  }

  /** Drops all requests, without an answer, and all prefixes, after a pass that failed. */
  abandonAll(): void {
    for (const { row } of this.#running) if (row) this.#cache.returnRow(row);
    this.#queue = [];
    this.#running = [];
    this.#finished.clear();
    this.#cache.clear();
  }

  /** Runs one pass over the rows of the batch. */
  async runPass(): Promise<void> {
    this.#dropCancelled();
    this.#admitQueued();
    const waiting = this.#running.filter((job) => countUncachedPositions(job) > 0);
    const ready = this.#running.filter((job) => countUncachedPositions(job) === 0);
    if (waiting.length > ready.length * WAITING_SHARE) await this.#fillBlocks(waiting);
    else await this.#stepRows(ready);
  }

  async close(): Promise<void> {
    await this.#runner.close();
  }

  #dropCancelled(): void {
    for (const job of [...this.#queue, ...this.#running]) {
      if (job.isCancelled) this.#finishJob(job, "cancelled");
    }
    this.#removeFinished();
  }

  /** Starts queued requests in order of arrival while the cache has room. */
  #admitQueued(): void {
    while (this.#queue.length > 0) {
      const job = this.#queue[0]!;
      job.row = this.#cache.acquireRow(job.request.tokens, job.request.cacheKey, job.maxLength);
      if (!job.row) return;
      this.#running.push(job);
      this.#queue.shift();
    }
  }

  /** Fills the next block of waiting rows. Equal rows share one computation, and similar rows wait for the first. */
  async #fillBlocks(waiting: readonly SampleJob[]): Promise<void> {
    const groups = groupEqualJobs(this.#selectLeaders(waiting), this.#runner.device !== undefined);
    const fills = groups.map(([job]) => ({ row: job!.row!, end: nextBlockEnd(job!) }));
    await this.#runner.fillBlocks(fills, (index, source, sourceRow) => {
      const end = fills[index]!.end;
      for (const job of groups[index]!) this.#cache.writeBlock(job.row!, source, sourceRow, end);
    });
  }

  /** Returns the waiting jobs that need not wait for another one. */
  #selectLeaders(waiting: readonly SampleJob[]): SampleJob[] {
    const leaders: SampleJob[] = [];
    for (const job of waiting) {
      const row = job.row!;
      if (this.#sharesPrefixes && leaders.some((leader) => shouldWaitFor(row, leader.row!)))
        continue;
      this.#cache.reuseCachedPrefix(row);
      if (countUncachedPositions(job) > 0) leaders.push(job);
    }
    return leaders;
  }

  async #stepRows(jobs: readonly SampleJob[]): Promise<void> {
    const steps = jobs.map((job) => {
      const { temperature } = job.request;
      const row = job.row!;
      // The drawn token stands at the next position.
      const uniform = uniformAt(job.randomKey, row.cachedLength + 1);
      return { row, temperature, filter: job.filter, uniform };
    });
    await this.#runner.stepRows(steps, (index, source, sourceRow, token, logprob) => {
      this.#cache.appendPosition(steps[index]!.row, source, sourceRow);
      this.#acceptToken(jobs[index]!, token, logprob);
    });
    this.#removeFinished();
  }

  #acceptToken(job: SampleJob, token: number, logprob: number): void {
    if (!Number.isFinite(logprob)) {
      throw new BowlineError(
        "engine",
        `sampled a log-prob of ${logprob}: the weights are not finite, or their logits overflow; load a valid checkpoint`,
      );
    }
    job.tokens.push(token);
    job.logprobs.push(logprob);
    const length = rowLength(job);
    if (job.stopIds.has(token)) this.#finishJob(job, "stop");
    else if (length === job.maxLength) this.#finishJob(job, "length");
    else job.row!.tokens[length - 1] = token;
  }

  #finishJob(job: SampleJob, stop: Sample["stop"]): void {
    if (job.row) this.#cache.returnRow(job.row);
    job.row = undefined;
    job.resolve({ tokens: job.tokens, logprobs: job.logprobs, stop });
    this.#finished.add(job);
  }

  #removeFinished(): void {
    if (this.#finished.size === 0) return;
    this.#queue = this.#queue.filter((job) => !this.#finished.has(job));
    this.#running = this.#running.filter((job) => !this.#finished.has(job));
    this.#finished.clear();
  }
}

/**
 * Groups jobs whose tokens up to the end of the next block are equal. With `isPartial` the jobs of a group also have
 * equally many positions cached, because a pass then returns only those that it computes.
 */
function groupEqualJobs(jobs: readonly SampleJob[], isPartial: boolean): SampleJob[][] {
  const groups: { readonly bytes: Uint8Array; readonly jobs: SampleJob[] }[] = [];
  for (const job of jobs) {
    const { buffer } = job.row!.tokens;
    const bytes = new Uint8Array(buffer, 0, nextBlockEnd(job) * Int32Array.BYTES_PER_ELEMENT);
    const group = groups.find(
      (known) =>
        Buffer.compare(known.bytes, bytes) === 0 &&
        (!isPartial || known.jobs[0]!.row!.cachedLength === job.row!.cachedLength),
    );
    if (group) group.jobs.push(job);
    else groups.push({ bytes, jobs: [job] });
  }
  return groups.map((group) => group.jobs);
}

function rowLength(job: SampleJob): number {
  return job.request.tokens.length + job.tokens.length;
}

/** Returns the number of positions before the last token that have no keys and values yet. */
function countUncachedPositions(job: SampleJob): number {
  return rowLength(job) - 1 - job.row!.cachedLength;
}

/** Returns where the next block of a waiting row ends. */
function nextBlockEnd(job: SampleJob): number {
  const { cachedLength } = job.row!;
  return Math.min(cachedLength - (cachedLength % BLOCK_LENGTH) + BLOCK_LENGTH, rowLength(job) - 1);
}
