/**
 * The transcript of a rollout as exact token ids, in a row that grows. Sampled ids are appended as they came.
 * Environment text is encoded once, when it is appended. (`message-transcript.ts` holds the transcript of policies
 * without tokens.)
 *
 * `startRow` is called again when the context changes in another way than by growing. Then a further row begins: a
 * segment with its own prompt and its own random stream.
 */
import { attachList, hash32 } from "../core/index.ts";
import type {
  Message,
  Renderer,
  RolloutLimits,
  RolloutTokens,
  TokenPolicy,
} from "../spec/index.ts";
import { callAcrossBoundary } from "./failure.ts";
import { GrowingRow } from "./token-row.ts";
import type { SampledTurn, Transcript } from "./transcript.ts";
import { requireValidSample } from "./valid-sample.ts";

export interface TokenTranscriptOptions {
  readonly renderer: Renderer;
  readonly limits: RolloutLimits;
  /** The rollout's id, which is also the sampler's cache key. */
  readonly id: string;
  readonly stream: number;
  readonly temperature: number;
}

export class TokenTranscript implements Transcript {
  readonly #policy: TokenPolicy;
  readonly #options: TokenTranscriptOptions;
  readonly #rows: GrowingRow[] = [new GrowingRow()];
  #hasStarted = false;
  /** This is true when the last turn used up its token budget, so that the end-of-turn token is still missing. */
  #lacksEnd = false;
  decodeSteps = 0;
  policyVersion = -1;

  constructor(policy: TokenPolicy, options: TokenTranscriptOptions) {
    this.#policy = policy;
    this.#options = options;
  }

  get tokens(): RolloutTokens {
    return this.#rows[0]!.toRecord();
  }

  get segments(): readonly RolloutTokens[] {
    return this.#rows.slice(1).map((row) => row.toRecord());
  }

  startRow(messages: readonly Message[]): boolean {
    const prompt = this.#options.renderer.start(messages);
    if (!this.#fits(0, prompt)) return false;
    if (this.#hasStarted) {
      this.releasePrefix();
      this.#rows.push(new GrowingRow());
      this.#lacksEnd = false;
    }
    this.#hasStarted = true;
    return this.#appendTokens(prompt);
  }

  async sampleTurn(signal?: AbortSignal, trained = true): Promise<SampledTurn | undefined> {
    const { renderer, limits, temperature } = this.#options;
    const row = this.#row;
    const start = row.length;
    const maxTokens = Math.min(limits.maxTurnTokens, limits.maxTokens - start);
    const sample = await callAcrossBoundary("policy", async () => {
      const { stopIds } = renderer;
      const rest = { stream: this.#stream, maxTokens, temperature, stopIds };
      const request = attachList({ ...rest, cacheKey: this.#cacheKey }, row.ids);
      return requireValidSample(await this.#policy.sample(request, signal), maxTokens, stopIds);
    });
    if (sample.stop === "cancelled") return undefined;
    if (this.decodeSteps === 0) this.policyVersion = sample.policyVersion;
    for (const [i, token] of sample.tokens.entries()) {
      if (trained) row.push(token, 1, sample.logprobs[i]!);
      else row.push(token, 0, 0);
    }
    this.decodeSteps += sample.tokens.length;
    this.#lacksEnd = sample.stop === "length";
    const text = sample.stop === "stop" ? sample.tokens.slice(0, -1) : sample.tokens;
    const message = await callAcrossBoundary("agent", () => renderer.text(text));
    const span: [number, number] = [start, row.length];
    return { message, span, ...(this.#rowIndex > 0 && { segment: this.#rowIndex }) };
  }

  appendObservation(observation: Message): boolean {
    return this.#appendTokens(this.#encodeObservation(observation));
  }

  sizeAfter(observation: Message): number {
    return this.#row.length + this.#encodeObservation(observation).length;
  }

  releasePrefix(): void {
    this.#policy.release(this.#cacheKey);
  }

  get #row(): GrowingRow {
    return this.#rows.at(-1)!;
  }

  get #rowIndex(): number {
    return this.#rows.length - 1;
  }

  /**
   * Each row needs its own cache key, because rows do not extend each other, and its own random stream, because two
   * rows must not draw the same random number at the same position.
   */
  get #cacheKey(): string {
    const { id } = this.#options;
    return this.#rowIndex === 0 ? id : `${id}#${this.#rowIndex}`;
  }

  get #stream(): number {
    const { stream } = this.#options;
    return this.#rowIndex === 0 ? stream : hash32(`segment ${this.#rowIndex}`, stream);
  }

  #encodeObservation(observation: Message): number[] {
    const { renderer } = this.#options;
    const end = this.#lacksEnd ? renderer.forcedEnd : [];
    return [...end, ...renderer.next(observation)];
  }

  #fits(length: number, tokens: readonly number[]): boolean {
    return length + tokens.length < this.#options.limits.maxTokens;
  }

  #appendTokens(tokens: readonly number[]): boolean {
    if (!this.#fits(this.#row.length, tokens)) return false;
    this.#row.appendText(tokens);
    return true;
  }
}
