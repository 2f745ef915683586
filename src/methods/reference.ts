/**
 * The reference policy of KL terms: the policy that the loop started from.
 *
 * A fresh run freezes it inside the engine. Loading a checkpoint drops the frozen copy, so a continued run opens the
 * warm-started weights a second time. Either way it is a second copy of the weights, which LOOP never has.
 */
import type { Engine, Row, TokenOutputs } from "../spec/index.ts";

/** A frozen policy that can be asked for log-probs. */
export interface ReferencePolicy {
  /** Returns the rows' log-probs under the frozen weights, at this temperature. */
  evaluate(rows: readonly Row[], temperature: number): Promise<readonly TokenOutputs[]>;
  close(): Promise<void>;
}

/** Freezes the engine's current weights and returns them as a reference policy. */
export async function snapshotReference(engine: Engine): Promise<ReferencePolicy> {
  await engine.snapshot();
  return {
    evaluate: (rows, temperature) => engine.evaluate(rows, { temperature, weights: "ref" }),
    close: async () => {},
  };
}

/**
 * Loads the weights in `directory` into this engine, which then serves as the reference policy alone. Closes the engine
 * when loading fails.
 */
export async function loadReference(engine: Engine, directory: string): Promise<ReferencePolicy> {
  try {
    await engine.load(directory);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    evaluate: (rows, temperature) => engine.evaluate(rows, { temperature }),
    close: () => engine.close(),
  };
}
