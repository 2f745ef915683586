/** The gradient and the optimizer of a trained store in this thread's memory. */
import { assert } from "../../../core/index.ts";
import type { OptimizerStep } from "../../../spec/index.ts";
import { hasDeviceMemory, tensor } from "../graph/index.ts";
import type { TensorStore } from "../model/index.ts";
import { createOptimizerState, gradientNorm, type OptimizerState, stepAdamW } from "./adamw.ts";
import { DeviceState } from "./device-state.ts";
import { GRADIENT_PREFIX, SUM_PREFIX } from "./gradient-sums.ts";
import type { GradientFeeds, TrainedState } from "./trained-state.ts";

/** Creates the state of a store where this thread's provider computes. */
export function createTrainedState(store: TensorStore): TrainedState {
  return hasDeviceMemory() ? new DeviceState(store) : new HostState(store);
}

/** Returns the gradient of a state that is in this thread's memory, in place. */
export function hostGradient(state: TrainedState): Float32Array {
  assert(state instanceof HostState, "a gradient on the device is read by readGradient");
  return state.gradient;
}

/** The gradient and optimizer of a store in this thread's memory. */
export class HostState implements TrainedState {
  readonly optimizer: OptimizerState;
  readonly gradient: Float32Array;
  readonly #store: TensorStore;
  readonly #feeds: GradientFeeds;

  constructor(store: TensorStore) {
    this.#store = store;
    this.optimizer = createOptimizerState(store);
    this.gradient = new Float32Array(store.data.length);
    const { inputs, parameters } = store;
    const own = [...inputs, ...parameters].filter(({ name }) => store.isFloat(name));
    const gradients = own.map(({ name, shape, offset, size }) => {
      return [name, tensor(this.gradient.subarray(offset, offset + size), shape)] as const;
    });
    this.#feeds = {
      sums: Object.fromEntries(gradients.map(([name, data]) => [SUM_PREFIX + name, data])),
      gradients: Object.fromEntries(
        gradients.map(([name, data]) => [GRADIENT_PREFIX + name, data]),
      ),
    };
  }

  async getGradientFeeds(): Promise<GradientFeeds> {
    return this.#feeds;
  }

  /** Returns the gradient of an input or parameter in place. */
  findGradient(name: string): Float32Array {
    const gradient = this.#feeds.gradients[GRADIENT_PREFIX + name]?.data;
    assert(gradient instanceof Float32Array, `there is no gradient of ${name}`);
    return gradient;
  }

  async readGradient(): Promise<Float32Array> {
    return this.gradient;
  }

  async computeNorm(): Promise<number> {
    return gradientNorm(this.gradient);
  }

  async step(step: OptimizerStep, norm: number): Promise<void> {
    stepAdamW(this.#store, this.gradient, this.optimizer, step, norm);
    this.#store.markChanged();
  }

  async clear(): Promise<void> {
    this.gradient.fill(0);
  }

  async readBack(): Promise<void> {}

  markMomentsChanged(): void {}

  async close(): Promise<void> {}
}
