/**
 * What has been said so far in a rollout, as exact token ids: a growing row. Sampled ids are appended as they came,
 * environment text is encoded once, when it is heard. (Policies without tokens: `message-dialogue.ts`.)
 *
 * `start` may come again: then the context did not only grow, and a further row begins, a segment with a prompt and a
 * random stream of its own.
 */
import { BowlineError, hash32 } from "../core/index.ts";
import type {
  Message,
  Renderer,
  RolloutLimits,
  RolloutTokens,
  Sample,
  TokenPolicy,
} from "../spec/index.ts";
import { callAcrossBoundary } from "./failure.ts";

export interface SampledTurn {
  readonly message: string;
  /** Half-open range of the row's ids. */
  readonly span?: [number, number];
  /** The row, where it is not the first. */
  readonly segment?: number;
}

export interface Transcript {
  /** Decode steps so far: sampled tokens, or turns without tokens. */
  readonly decodeSteps: number;
  /** The version that sampled the first turn; -1 without versions. */
  readonly policyVersion: number;
  /** The first row so far; undefined without tokens. */
  readonly tokens: RolloutTokens | undefined;
  /** The rows after it. */
  readonly segments: readonly RolloutTokens[];
  /** Begins a row. False, and nothing is begun, when the prompt leaves no room for one token of the agent. */
  startRow(messages: readonly Message[]): boolean;
  /**
   * The agent's next turn; undefined when it was cancelled, and then nothing of it is kept. What is not trained is in the
   * row like all else, but is no action.
   */
  sampleTurn(signal?: AbortSignal, trained?: boolean): Promise<SampledTurn | undefined>;
  /** Appends an observation; false, and nothing is appended, when no token of the agent would fit after it. */
  appendObservation(observation: Message): boolean;
  /** Tokens that the present row would have after hearing this; without tokens, a quarter of its characters. */
  sizeAfter(observation: Message): number;
  releasePrefix(): void;
}

export interface TokenTranscriptOptions {
  readonly renderer: Renderer;
  readonly limits: RolloutLimits;
  /** Also the sampler's cache key. */
  readonly id: string;
  readonly stream: number;
  readonly temperature: number;
}

export class TokenTranscript implements Transcript {
  readonly #policy: TokenPolicy;
  readonly #options: TokenTranscriptOptions;
  readonly #rows: Row[] = [createEmptyRow()];
  #started = false;
  /** True when the last turn ran into its budget and still lacks an end. */
  #open = false;
  decodeSteps = 0;
  policyVersion = -1;

  constructor(policy: TokenPolicy, options: TokenTranscriptOptions) {
    this.#policy = policy;
    this.#options = options;
  }

  get tokens(): RolloutTokens {
    return this.#rows[0]!;
  }

  get segments(): readonly RolloutTokens[] {
    return this.#rows.slice(1);
  }

  startRow(messages: readonly Message[]): boolean {
    const prompt = this.#options.renderer.start(messages);
    if (!this.#fits(0, prompt)) return false;
    if (this.#started) {
      this.releasePrefix();
      this.#rows.push(createEmptyRow());
      this.#open = false;
    }
    this.#started = true;
    return this.#hear(prompt);
  }

  async sampleTurn(signal?: AbortSignal, trained = true): Promise<SampledTurn | undefined> {
    const { renderer, limits, temperature } = this.#options;
    const { ids } = this.#row;
    const start = ids.length;
    const maxTokens = Math.min(limits.maxTurnTokens, limits.maxTokens - start);
    const request = { tokens: [...ids], stream: this.#stream, maxTokens, temperature };
    const sample = await callAcrossBoundary("policy", async () => {
      const full = { ...request, stopIds: renderer.stopIds, cacheKey: this.#key };
      return requireValidSample(
        await this.#policy.sample(full, signal),
        maxTokens,
        renderer.stopIds,
      );
    });
    if (sample.stop === "cancelled") return undefined;
    if (this.decodeSteps === 0) this.policyVersion = sample.policyVersion;
    for (const [i, token] of sample.tokens.entries()) {
      if (trained) this.#push(token, 1, sample.logprobs[i]!);
      else this.#push(token, 0, 0);
    }
    this.decodeSteps += sample.tokens.length;
    this.#open = sample.stop === "length";
    const text = sample.stop === "stop" ? sample.tokens.slice(0, -1) : sample.tokens;
    const message = await callAcrossBoundary("agent", () => renderer.text(text));
    const span: [number, number] = [start, ids.length];
    return { message, span, ...(this.#segment > 0 && { segment: this.#segment }) };
  }

  appendObservation(observation: Message): boolean {
    return this.#hear(this.#encoded(observation));
  }

  sizeAfter(observation: Message): number {
    return this.#row.ids.length + this.#encoded(observation).length;
  }

  releasePrefix(): void {
    this.#policy.release(this.#key);
  }

  get #row(): Row {
    return this.#rows.at(-1)!;
  }

  get #segment(): number {
    return this.#rows.length - 1;
  }

  /** Rows do not extend each other, and the same position of two rows must not draw the same number. */
  get #key(): string {
    const { id } = this.#options;
    return this.#segment === 0 ? id : `${id}#${this.#segment}`;
  }

  get #stream(): number {
    const { stream } = this.#options;
    return this.#segment === 0 ? stream : hash32(`segment ${this.#segment}`, stream);
  }

  #encoded(observation: Message): number[] {
    const { renderer } = this.#options;
    const end = this.#open ? renderer.forcedEnd : [];
    return [...end, ...renderer.next(observation)];
  }

  #fits(length: number, tokens: readonly number[]): boolean {
    return length + tokens.length < this.#options.limits.maxTokens;
  }

  #hear(tokens: readonly number[]): boolean {
    if (!this.#fits(this.#row.ids.length, tokens)) return false;
    for (const token of tokens) this.#push(token, 0, 0);
    return true;
  }

  #push(token: number, sampled: 0 | 1, logprob: number): void {
    const { ids, mask, logprobs } = this.#row;
    ids.push(token);
    mask.push(sampled);
    logprobs.push(logprob);
  }
}

type Row = { readonly ids: number[]; readonly mask: (0 | 1)[]; readonly logprobs: number[] };
const createEmptyRow = (): Row => ({ ids: [], mask: [], logprobs: [] });

/** A sample that breaks its contract would silently misalign a training row, so it fails the rollout instead. */
export function requireValidSample(
  sample: Sample,
  maxTokens: number,
  stopIds: readonly number[],
): Sample {
  const { tokens, logprobs, stop } = sample;
  if (stop === "cancelled") return sample;
  const last = tokens.at(-1);
  const broken =
    tokens.length !== logprobs.length
      ? `${tokens.length} tokens with ${logprobs.length} log-probs`
      : tokens.length > maxTokens
        ? `${tokens.length} tokens where at most ${maxTokens} were asked for`
        : !logprobs.every(Number.isFinite)
          ? "a log-prob that is not finite"
          : stop === "stop" && !(last !== undefined && stopIds.includes(last))
            ? `a stop without a stop token (last token: ${last})`
            : undefined;
  if (broken) throw new BowlineError("engine", `the policy sampled ${broken}`);
  return sample;
}
