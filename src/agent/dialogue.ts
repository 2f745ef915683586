/**
 * The two ways in which a policy takes part in a rollout: as exact token ids, or as messages.
 *
 * A dialogue holds what has been said so far. A TokenDialogue is a growing row; sampled ids are appended as they came,
 * environment text is encoded once when it is heard. A MessageDialogue is a list of messages and has no tokens.
 */
import { BowlineError } from "../core/index.ts";
import type {
  Message,
  Policy,
  Renderer,
  RolloutLimits,
  RolloutTokens,
  Sample,
  TaskInfo,
} from "../spec/index.ts";
import { at } from "./failure.ts";

export interface Utterance {
  readonly message: string;
  /** Half-open range of the row's ids. */
  readonly span?: [number, number];
}

export interface Dialogue {
  /** Decode steps so far: sampled tokens, or turns without tokens. */
  readonly steps: number;
  /** The version that sampled the first turn; -1 without versions. */
  readonly policyVersion: number;
  /** The row so far; undefined without tokens. */
  readonly tokens: RolloutTokens | undefined;
  /** False when the prompt leaves no room for one token of the agent. */
  start(messages: readonly Message[]): boolean;
  /** The agent's next turn; undefined when it was cancelled, and then nothing of it is kept. */
  speak(signal?: AbortSignal): Promise<Utterance | undefined>;
  /** Appends an observation; false, and nothing is appended, when no token of the agent would fit after it. */
  hear(observation: Message): boolean;
  release(): void;
}

type TokenPolicy = Extract<Policy, { kind: "tokens" }>;
type MessagePolicy = Extract<Policy, { kind: "messages" }>;

export interface TokenDialogueOptions {
  readonly renderer: Renderer;
  readonly limits: RolloutLimits;
  /** Also the sampler's cache key. */
  readonly id: string;
  readonly stream: number;
  readonly temperature: number;
}

export class TokenDialogue implements Dialogue {
  readonly #policy: TokenPolicy;
  readonly #options: TokenDialogueOptions;
  readonly #ids: number[] = [];
  readonly #mask: (0 | 1)[] = [];
  readonly #logprobs: number[] = [];
  /** True when the last turn ran into its budget and still lacks an end. */
  #open = false;
  steps = 0;
  policyVersion = -1;

  constructor(policy: TokenPolicy, options: TokenDialogueOptions) {
    this.#policy = policy;
    this.#options = options;
  }

  get tokens(): RolloutTokens {
    return { ids: this.#ids, mask: this.#mask, logprobs: this.#logprobs };
  }

  start(messages: readonly Message[]): boolean {
    return this.#hear(this.#options.renderer.start(messages));
  }

  async speak(signal?: AbortSignal): Promise<Utterance | undefined> {
    const { renderer, limits, id, stream, temperature } = this.#options;
    const start = this.#ids.length;
    const maxTokens = Math.min(limits.maxTurnTokens, limits.maxTokens - start);
    const request = { tokens: [...this.#ids], stream, maxTokens, temperature };
    const sample = await at("policy", async () => {
      const full = { ...request, stopIds: renderer.stopIds, cacheKey: id };
      return checkSample(await this.#policy.sample(full, signal), maxTokens, renderer.stopIds);
    });
    if (sample.stop === "cancelled") return undefined;
    if (this.steps === 0) this.policyVersion = sample.policyVersion;
    sample.tokens.forEach((token, i) => {
      this.#push(token, 1, sample.logprobs[i]!);
    });
    this.steps += sample.tokens.length;
    this.#open = sample.stop === "length";
    const message = await at("agent", () => renderer.text(textOf(sample)));
    return { message, span: [start, this.#ids.length] };
  }

  hear(observation: Message): boolean {
    const { renderer } = this.#options;
    const end = this.#open ? renderer.forcedEnd : [];
    return this.#hear([...end, ...renderer.next(observation)]);
  }

  release(): void {
    this.#policy.release(this.#options.id);
  }

  #hear(tokens: readonly number[]): boolean {
    if (this.#ids.length + tokens.length >= this.#options.limits.maxTokens) return false;
    for (const token of tokens) this.#push(token, 0, 0);
    return true;
  }

  #push(token: number, sampled: 0 | 1, logprob: number): void {
    this.#ids.push(token);
    this.#mask.push(sampled);
    this.#logprobs.push(logprob);
  }
}

export class MessageDialogue implements Dialogue {
  readonly #policy: MessagePolicy;
  readonly #task: TaskInfo;
  readonly #messages: Message[] = [];
  steps = 0;
  readonly policyVersion = -1;
  readonly tokens = undefined;

  constructor(policy: MessagePolicy, task: TaskInfo) {
    this.#policy = policy;
    this.#task = task;
  }

  start(messages: readonly Message[]): boolean {
    this.#messages.push(...messages);
    return true;
  }

  async speak(signal?: AbortSignal): Promise<Utterance> {
    const heard = [...this.#messages];
    const message = await at("policy", () => this.#policy.complete(heard, this.#task, signal));
    this.#messages.push({ role: "assistant", content: message });
    this.steps += 1;
    return { message };
  }

  hear(observation: Message): boolean {
    this.#messages.push(observation);
    return true;
  }

  release(): void {}
}

function textOf({ tokens, stop }: Sample): readonly number[] {
  return stop === "stop" ? tokens.slice(0, -1) : tokens;
}

/** A sample that breaks its contract would silently misalign a training row, so it fails the rollout instead. */
function checkSample(sample: Sample, maxTokens: number, stopIds: readonly number[]): Sample {
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
