/**
 * AdamW with decoupled weight decay after clipping the global gradient norm, in PyTorch's order of operations.
 *
 * Moments are float32 vectors with the layout of the weights. The arithmetic is double precision. Decay applies to
 * projection matrices and an untied head, never to norms, biases or the embedding table. Sources: Loshchilov and
 * Hutter 2019 (arXiv 1711.05101), algorithm 2; torch.nn.utils.clip_grad_norm_.
 */
import type { OptimizerStep } from "../../../spec/index.ts";
import type { TensorStore } from "../model/index.ts";

/** The state of the optimizer. To save or restore it exactly, copy `step`, `firstMoment` and `secondMoment`. */
export interface OptimizerState {
  /** The number of updates so far. */
  step: number;
  /** The exponential mean of gradients, with the layout of the trained data. */
  readonly firstMoment: Float32Array;
  /** The exponential mean of squared gradients. */
  readonly secondMoment: Float32Array;
}

export function createOptimizerState(store: TensorStore): OptimizerState {
  return {
    step: 0,
    firstMoment: new Float32Array(store.data.length),
    secondMoment: new Float32Array(store.data.length),
  };
}

/** Returns the Euclidean norm of all gradients. */
export function gradientNorm(gradient: Float32Array): number {
  // Four parallel sums do not wait for each other.
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = gradient.length - (gradient.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a += gradient[i]! * gradient[i]!;
    b += gradient[i + 1]! * gradient[i + 1]!;
    c += gradient[i + 2]! * gradient[i + 2]!;
    d += gradient[i + 3]! * gradient[i + 3]!;
  }
  for (let i = whole; i < gradient.length; i++) a += gradient[i]! * gradient[i]!;
  return Math.sqrt(a + b + c + d);
}

/** Updates weights and moments in place. Returns the norm before clipping, which a caller may pass if known. */
export function stepAdamW(
  store: TensorStore,
  gradient: Float32Array,
  state: OptimizerState,
  step: OptimizerStep,
  norm = gradientNorm(gradient),
): number {
  const clip = Math.min(1, step.maxGradientNorm / (norm + 1e-6));
  state.step++;
  for (const { offset, size, hasWeightDecay: decays } of store.parameters) {
    const parameterSlice = (array: Float32Array) => array.subarray(offset, offset + size);
    stepParameter(
      parameterSlice(store.data),
      parameterSlice(gradient),
      parameterSlice(state.firstMoment),
      parameterSlice(state.secondMoment),
      {
        ...step,
        clip,
        count: state.step,
        weightDecay: decays ? step.weightDecay : 0,
      },
    );
  }
  return norm;
}

interface Coefficients extends OptimizerStep {
  readonly clip: number;
  readonly count: number;
}

function stepParameter(
  weights: Float32Array,
  gradient: Float32Array,
  first: Float32Array,
  second: Float32Array,
  options: Coefficients,
): void {
  const { learningRate, beta1, beta2, epsilon, clip, count } = options;
  const keep = 1 - learningRate * options.weightDecay;
  const size = learningRate / (1 - beta1 ** count);
  const unbias = 1 / Math.sqrt(1 - beta2 ** count);
  for (let i = 0; i < weights.length; i++) {
    const g = gradient[i]! * clip;
    const m = beta1 * first[i]! + (1 - beta1) * g;
    const v = beta2 * second[i]! + (1 - beta2) * g * g;
    first[i] = m;
    second[i] = v;
    weights[i] = weights[i]! * keep - (size * m) / (Math.sqrt(v) * unbias + epsilon);
  }
}
