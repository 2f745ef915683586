/**
 * Records how the present weights came to be: a checkpoint, and each step and publication since then (the redo log).
 */
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

  /** The last checkpoint, or undefined when the weights started as a new model's. */
  get checkpoint(): TinkerCheckpoint | undefined {
    return this.#checkpoint;
  }

  /** Whether the optimizer's moments at the checkpoint are those that it holds ("kept") or zero ("fresh"). */
  get moments(): OptimizerMoments {
    return this.#moments;
  }

  /** The steps and publications since the checkpoint, in order. */
  get log(): readonly LogEntry[] {
    return this.#log;
  }

  /** The version of the newest published policy, or 0 when none was published. */
  get version(): number {
    return this.#version;
  }

  /** How many optimizer steps led from the first weights to the present ones. */
  get steps(): number {
    return this.#steps;
  }

  /** True when the newest published policy has the present weights. */
  get isPublished(): boolean {
    return this.#steps === this.#stepsAtPublish;
  }

  addStep(step: GradientStep): void {
    this.#log.push({ step });
    this.#steps += 1;
  }

  /** Records a publication and returns the new version. */
  addPublication(): number {
    this.#version += 1;
    this.#stepsAtPublish = this.#steps;
    this.#log.push({ publish: this.#version });
    return this.#version;
  }

  /** Records that the present weights were saved as this checkpoint. The redo log is emptied. */
  recordSave(checkpoint: TinkerCheckpoint): void {
    this.#moments = "kept";
    this.#checkpoint = checkpoint;
    this.#log = [];
  }

  /** Records that the checkpoint's weights became the present weights. */
  recordLoad(checkpoint: TinkerCheckpoint, moments: OptimizerMoments): void {
    this.recordSave(checkpoint);
    this.#moments = moments;
    this.#version = checkpoint.policyVersion;
    this.#steps = checkpoint.steps;
    // Weights that were loaded count as published, as in every engine.
    this.#stepsAtPublish = checkpoint.steps;
  }
}
