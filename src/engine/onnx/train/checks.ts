/** Checks of numbers that a trainer is given or has computed. */
import { BowlineError } from "../../../core/index.ts";
import type { AdapterStore, ParameterStore } from "../model/index.ts";

/** Throws an `engine` error when there is nothing to train: a quantised base without an adapter. */
export function requireTrainable(
  { quantized }: ParameterStore,
  adapter: AdapterStore | undefined,
): void {
  if (!quantized || adapter) return;
  throw new BowlineError(
    "engine",
    `accumulate: the base is frozen in ${quantized.type}, and there is no adapter to train; set engine.lora, or engine.base to f32`,
  );
}

/** Throws an `engine` error for a temperature at which log-probs do not exist. */
export function requirePositiveTemperature(temperature: number): void {
  if (temperature > 0) return;
  throw new BowlineError(
    "engine",
    `temperature must be above 0 to evaluate, but it is ${temperature}`,
  );
}

/** Throws an `engine` error for a gradient with which nothing can be updated. */
export function requireFiniteNorm(norm: number, what: string): void {
  if (Number.isFinite(norm)) return;
  throw new BowlineError(
    "engine",
    `the ${what} is ${norm}; the weights are unchanged; call discard() to drop the gradient`,
  );
}
