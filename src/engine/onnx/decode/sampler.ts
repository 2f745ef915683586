/**
 * Continuous batching: every request is a row that joins the batch when it comes and leaves when it is done.
 *
 * `advance` makes one pass: either it fills caches (a block of 16 positions for every row that lacks keys and values)
 * or it continues every ready row by one token. Which of the two, who is in the batch and when requests arrive changes
 * only the speed, because a token is a function of (weights, tokens, stream, position); see graphs.ts and random.ts.
 */
import { BowlineError } from "../../../core/index.ts";
import type { Sample, SampleRequest } from "../../../spec/index.ts";
import type { AdapterStore, ParameterStore } from "../model/index.ts";
import { type CacheRow, PrefixCache } from "./cache.ts";
import { shouldWaitFor } from "./cache-row.ts";
import { BLOCK } from "./graphs.ts";
import { streamKey, uniformAt } from "./random.ts";
import { Runner } from "./runner.ts";
import { canUseSegments } from "./segmented-attention.ts";

export interface SamplerOptions {
  readonly seed: number;
  readonly threads: number;
  /** Rows with cached keys and values, busy and idle together. */
  readonly maxLiveRows: number;
  /** What their keys and values may come to take, shared ones once; one row always may. Default: as much as they need. */
  readonly maxCacheBytes?: number | undefined;
  /** Whether beginnings that rows have in common are held and attended to once; default true. */
  readonly sharePrefixes?: boolean | undefined;
  /** LoRA: sampled from as it is at the time, without a copy of the weights. */
  readonly adapter?: AdapterStore | undefined;
}

/** Part of the ready rows that must wait for keys and values before a pass is spent on filling. */
const WAITING_SHARE = 1 / 8;

interface Job {
  readonly request: SampleRequest;
  readonly stops: ReadonlySet<number>;
  readonly key: number;
  readonly resolve: (sample: Omit<Sample, "policyVersion">) => void;
  readonly tokens: number[];
  readonly logprobs: number[];
  /** Length of the whole row at which sampling ends. */
  readonly end: number;
  row: CacheRow | undefined;
  cancelled: boolean;
}

export interface Submitted {
  readonly sample: Promise<Omit<Sample, "policyVersion">>;
  /** Ends it at the next pass with the tokens so far. */
  cancel(): void;
}

export class Sampler {
  readonly #options: SamplerOptions;
  readonly #contextLength: number;
  readonly #shares: boolean;
  readonly #cache: PrefixCache;
  readonly #runner: Runner;
  #queue: Job[] = [];
  #running: Job[] = [];
  readonly #finished = new Set<Job>();

  constructor(parameters: ParameterStore, options: SamplerOptions) {
    const { config } = parameters;
    this.#options = options;
    this.#contextLength = config.contextLength;
    this.#runner = new Runner(parameters, options.threads, options.adapter);
    const { threads, maxLiveRows, maxCacheBytes, sharePrefixes = true } = options;
    this.#shares = sharePrefixes && canUseSegments(config, threads);
    this.#cache = new PrefixCache(config, {
      maxRows: maxLiveRows,
      maxBytes: maxCacheBytes,
      smallest: this.#runner.smallestBatch,
      segmented: this.#shares,
    });
  }

  get busy(): boolean {
    return this.#queue.length + this.#running.length > 0;
  }

  /** Requests must be valid (see contract/validate.ts) and leave room for one token. */
  submit(request: SampleRequest): Submitted {
    let resolve: Job["resolve"] = () => {};
    const sample = new Promise<Omit<Sample, "policyVersion">>((settle) => {
      resolve = settle;
    });
    const { tokens, maxTokens, stopIds, stream } = request;
    const job: Job = {
      request,
      stops: new Set(stopIds),
      key: streamKey(this.#options.seed, stream),
      resolve,
      tokens: [],
      logprobs: [],
      end: Math.min(tokens.length + maxTokens, this.#contextLength),
      row: undefined,
      cancelled: false,
    };
    this.#queue.push(job);
    const cancel = () => {
      job.cancelled = true;
    };
    return { sample, cancel };
  }

  release(cacheKey: string): void {
    this.#cache.release(cacheKey);
  }

  /** Forgets kept prefixes, because the weights changed; must not be busy. */
  forget(): void {
    this.#cache.clear();
  }

  /** After a failed pass: gives up every request without an answer, and every prefix. */
  abandon(): void {
    for (const { row } of this.#running) if (row) this.#cache.giveBack(row);
    this.#queue = [];
    this.#running = [];
    this.#finished.clear();
    this.#cache.clear();
  }

  /** One pass over the rows of the batch. */
  async advance(): Promise<void> {
    this.#dropCancelled();
    this.#admit();
    const waiting = this.#running.filter((job) => lacking(job) > 0);
    const ready = this.#running.filter((job) => lacking(job) === 0);
    if (waiting.length > ready.length * WAITING_SHARE) await this.#fill(waiting);
    else await this.#step(ready);
  }

  async close(): Promise<void> {
    await this.#runner.close();
  }

  #dropCancelled(): void {
    for (const job of [...this.#queue, ...this.#running]) {
      if (job.cancelled) this.#finish(job, "cancelled");
    }
    this.#removeFinished();
  }

  /** In order of arrival. */
  #admit(): void {
    while (this.#queue.length > 0) {
      const job = this.#queue[0]!;
      job.row = this.#cache.take(job.request.tokens, job.request.cacheKey, job.end);
      if (!job.row) return;
      this.#running.push(job);
      this.#queue.shift();
    }
  }

  /** Rows with equal tokens so far share one computation; those that begin alike for long wait for the first of them. */
  async #fill(waiting: readonly Job[]): Promise<void> {
    const groups = alike(this.#leaders(waiting));
    const fills = groups.map(([job]) => ({ row: job!.row!, end: blockEnd(job!) }));
    await this.#runner.fill(fills, (place, source, from) => {
      const end = fills[place]!.end;
      for (const job of groups[place]!) this.#cache.writeBlock(job.row!, source, from, end);
    });
  }

  #leaders(waiting: readonly Job[]): Job[] {
    const leaders: Job[] = [];
    for (const job of waiting) {
      const row = job.row!;
      if (this.#shares && leaders.some((leader) => shouldWaitFor(row, leader.row!))) continue;
      this.#cache.begin(row);
      if (lacking(job) > 0) leaders.push(job);
    }
    return leaders;
  }

  async #step(jobs: readonly Job[]): Promise<void> {
    const steps = jobs.map((job) => {
      const { temperature } = job.request;
      const position = job.row!.cachedLength;
      // The token drawn is the one at the next position.
      return { row: job.row!, temperature, uniform: uniformAt(job.key, position + 1) };
    });
    await this.#runner.step(steps, (place, source, from, token, logprob) => {
      this.#cache.appendOne(steps[place]!.row, source, from);
      this.#accept(jobs[place]!, token, logprob);
    });
    this.#removeFinished();
  }

  #accept(job: Job, token: number, logprob: number): void {
    if (!Number.isFinite(logprob)) {
      throw new BowlineError(
        "engine",
        `sampled a log-prob of ${logprob}: the weights are not finite, or their logits overflow; load a sound checkpoint`,
      );
    }
    job.tokens.push(token);
    job.logprobs.push(logprob);
    const length = rowLength(job);
    if (job.stops.has(token)) this.#finish(job, "stop");
    else if (length === job.end) this.#finish(job, "length");
    else job.row!.tokens[length - 1] = token;
  }

  #finish(job: Job, stop: Sample["stop"]): void {
    if (job.row) this.#cache.giveBack(job.row);
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

/** Groups of jobs whose tokens up to the end of the next block are equal. */
function alike(jobs: readonly Job[]): Job[][] {
  const groups: { readonly bytes: Uint8Array; readonly jobs: Job[] }[] = [];
  for (const job of jobs) {
    const { buffer } = job.row!.tokens;
    const bytes = new Uint8Array(buffer, 0, blockEnd(job) * Int32Array.BYTES_PER_ELEMENT);
    const group = groups.find((known) => Buffer.compare(known.bytes, bytes) === 0);
    if (group) group.jobs.push(job);
    else groups.push({ bytes, jobs: [job] });
  }
  return groups.map((group) => group.jobs);
}

function rowLength(job: Job): number {
  return job.request.tokens.length + job.tokens.length;
}

/** Positions before the last token that have no keys and values yet. */
function lacking(job: Job): number {
  return rowLength(job) - 1 - job.row!.cachedLength;
}

/** Where the next block of a waiting row ends. */
function blockEnd(job: Job): number {
  const { cachedLength: cached } = job.row!;
  return Math.min(cached - (cached % BLOCK) + BLOCK, rowLength(job) - 1);
}
