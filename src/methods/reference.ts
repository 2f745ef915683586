/**
 * The reference policy of KL terms, which is the policy that training started from.
 *
 * A new run freezes a copy inside the engine. A continued run loads a checkpoint, which drops the frozen copy, so it
 * opens the warm-started weights in a second engine. In both cases there is a second copy of the weights, which LOOP
 * never has.
 */
import type { Engine, Row, TokenOutputs } from "../spec/index.ts";

/** A frozen policy that computes log-probs. */
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
 * Loads the weights in `directory` into this engine, which then serves only as the reference policy. Closes the engine
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
