/**
 * What training keeps of a store besides its weights: the gradient and the optimizer. They are in this thread's memory
 * (host-state.ts) or on the device (device-state.ts), and the trainer uses both in the same way.
 */
import type { OptimizerStep } from "../../../spec/index.ts";
import type { Feeds } from "../graph/index.ts";
import type { OptimizerState } from "./adamw.ts";

/** The gradient as inputs of a graph, and as outputs that the graph writes in place. */
export interface GradientFeeds {
  /** The gradients so far, by `sum:<name>`. */
  readonly sums: Feeds;
  /** Where a graph writes their sums with its own, by `d:<name>`. */
  readonly gradients: Feeds;
}

/** The gradient of a store of weights, and the state of its optimizer. */
export interface TrainedState {
  /** Moments and number of steps in this thread's memory. On a device they are older than there until `readBack`. */
  readonly optimizer: OptimizerState;
  /** Returns the gradient by the names of weights, or with `layer` by the names of layer 0. */
  getGradientFeeds(layer?: number): Promise<GradientFeeds>;
  /** Returns the gradient with the layout of the store. */
  readGradient(): Promise<Float32Array>;
  /** Returns the Euclidean norm of the gradient. */
  computeNorm(): Promise<number>;
  /** Clips by `norm` and makes an optimizer step. The gradient is kept. */
  step(step: OptimizerStep, norm: number): Promise<void>;
  /** Makes the gradient zero. */
  clear(): Promise<void>;
  /** Brings weights and moments into this thread's memory. */
  readBack(): Promise<void>;
  /** Declares that moments in this thread's memory were written to. */
  markMomentsChanged(): void;
  close(): Promise<void>;
}
