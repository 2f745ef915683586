/** How the present weights came to be: a checkpoint, and every step and publication since (the redo log). */
import type { OptimizerMoments } from "../../../spec/index.ts";
import type { TinkerCheckpoint } from "./checkpoint.ts";
import type { GradientStep } from "./gradient.ts";

export type LogEntry = { readonly step: GradientStep } | { readonly publish: number };

export class WeightHistory {
  #checkpoint: TinkerCheckpoint | undefined;
  #moments: OptimizerMoments = "kept";
  #log: LogEntry[] = [];
  #version = 0;
  #steps = 0;
  #stepsAtPublish = 0;

  /** Undefined: weights as they were made. */
  get checkpoint(): TinkerCheckpoint | undefined {
    return this.#checkpoint;
  }

  /** Of the optimizer at the checkpoint: those that it holds, or none. */
  get moments(): OptimizerMoments {
    return this.#moments;
  }

  /** Since the checkpoint, in order. */
  get log(): readonly LogEntry[] {
    return this.#log;
  }

  /** Of the policy that was published last; 0: none was. */
  get version(): number {
    return this.#version;
  }

  /** Of the optimizer, since the first weights. */
  get steps(): number {
    return this.#steps;
  }

  /** The newest policy has the present weights. */
  get isPublished(): boolean {
    return this.#steps === this.#stepsAtPublish;
  }

  addStep(step: GradientStep): void {
    this.#log.push({ step });
    this.#steps += 1;
  }

  /** Gives the new version. */
  addPublication(): number {
    this.#version += 1;
    this.#stepsAtPublish = this.#steps;
    this.#log.push({ publish: this.#version });
    return this.#version;
  }

  /** The log starts anew from here. */
  recordSave(checkpoint: TinkerCheckpoint): void {
    this.#moments = "kept";
    this.#checkpoint = checkpoint;
    this.#log = [];
  }

  /** The present weights become a checkpoint's. */
  recordLoad(checkpoint: TinkerCheckpoint, moments: OptimizerMoments): void {
    this.recordSave(checkpoint);
    this.#moments = moments;
    this.#version = checkpoint.policyVersion;
    this.#steps = checkpoint.steps;
    // What the checkpoint has not published is sampled all the same, as with any engine that was loaded.
    this.#stepsAtPublish = checkpoint.steps;
  }
}
