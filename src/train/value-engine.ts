/**
 * The contract of an engine with a value head: values beside log-probs, and one optimizer a parameter group.
 *
 * The head reads the policy's last hidden state and sends no gradient into it. A value at index i of a row belongs to
 * the state before token i, like the log-prob there.
 */
import { BowlineError } from "../core/index.ts";
import type {
  Cotangents,
  Engine,
  EvaluateOptions,
  GroupSteps,
  Row,
  TokenOutputs,
} from "../spec/index.ts";

export interface ValueOutputs extends TokenOutputs {
  readonly values: Float32Array;
}

export interface ValueCotangents extends Cotangents {
  readonly values: ArrayLike<number>;
}

export type { GroupSteps };

export interface ValueEngine {
  evaluate(
    rows: readonly Row[],
    options: EvaluateOptions & { readonly values: true },
  ): Promise<readonly ValueOutputs[]>;
  accumulate(
    rows: readonly Row[],
    cotangents: readonly ValueCotangents[],
    options?: Pick<EvaluateOptions, "temperature">,
  ): Promise<readonly ValueOutputs[]>;
  /** The gradient norm is that of the policy's group. */
  update(steps: GroupSteps): Promise<{ readonly gradientNorm: number; readonly valueNorm: number }>;
  discard(): Promise<void>;
}

/** The same engine under its wider contract. Throws an `engine` error when it has no value head. */
export function valueEngine(engine: Engine): ValueEngine {
  if (engine.info.capabilities.value) return engine as unknown as ValueEngine;
  throw new BowlineError(
    "engine",
    `the ${engine.info.name} engine has no value head (info.capabilities.value is false)`,
  );
}
