/**
 * Evaluates log-probs under weights that do not change: the base model, and a reference from `snapshot`. Both come from
 * the prompt log-probs of a sampler, so they do not need the model in training.
 */
import type { Row, TokenOutputs } from "../../../spec/index.ts";
import { throwEngineError } from "../../contract/index.ts";
import type { TinkerSampler } from "../client/index.ts";
import { isLostSampler } from "./lost-sampler.ts";
import type { RemoteModel } from "./remote-model.ts";
import type { ServerTraits } from "./server-traits.ts";

export class FrozenWeights {
  readonly #remote: RemoteModel;
  readonly #traits: ServerTraits;
  #base: Promise<TinkerSampler> | undefined;
  #reference: { readonly path: string; sampler: Promise<TinkerSampler> } | undefined;
  #snapshots = 0;

  constructor(remote: RemoteModel, traits: ServerTraits) {
    this.#remote = remote;
    this.#traits = traits;
  }

  /** Makes the present weights the reference and returns their path on the server. */
  async snapshot(): Promise<string> {
    const path = await this.#remote.saveForReference(`bowline-ref-${this.#snapshots++}`);
    this.#reference = { path, sampler: this.#remote.openSavedSampler(path) };
    await this.#reference.sampler;
    return path;
  }

  /** Drops the reference. */
  forgetReference(): void {
    this.#reference = undefined;
  }

  async evaluate(rows: readonly Row[], weights: "base" | "ref"): Promise<readonly TokenOutputs[]> {
    if (!this.#traits.promptLogprobs) {
      throwEngineError(
        `evaluate: "${weights}" weights need the log-probs of a prompt, which this server does not return (capabilities.snapshot is false)`,
      );
    }
    if (weights === "ref" && this.#reference === undefined) {
      throwEngineError('evaluate: there are no "ref" weights; call snapshot() first');
    }
    return Promise.all(
      rows.map(async (row) => {
        if (row.at.length === 0) return { logprobs: new Float32Array(0) };
        const tokens = Array.from(row.tokens).slice(0, Math.max(...Array.from(row.at)) + 1);
        const logprobs = await this.#computeLogprobs(weights, tokens);
        return { logprobs: Float32Array.from(row.at, (i) => logprobs[i - 1]!) };
      }),
    );
  }

  /** When a restarted server has lost the sampler, this opens it again: the server keeps its weights on disk. */
  async #computeLogprobs(weights: "base" | "ref", tokens: readonly number[]): Promise<number[]> {
    const recovery = this.#remote.startRecovery();
    for (;;) {
      const openedSampler = this.#getSampler(weights);
      try {
        return await (await openedSampler).computeLogprobs(tokens);
      } catch (error) {
        if (!isLostSampler(error)) throw error;
        await recovery.waitOrThrow(error);
        if (this.#base === openedSampler) this.#base = undefined;
        if (this.#reference?.sampler === openedSampler) {
          this.#reference.sampler = this.#remote.openSavedSampler(this.#reference.path);
        }
      }
    }
  }

  #getSampler(weights: "base" | "ref"): Promise<TinkerSampler> {
    if (weights === "ref") return this.#reference!.sampler;
    this.#base ??= this.#remote.openBaseSampler();
    return this.#base;
  }
}
