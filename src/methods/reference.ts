/**
 * The policy that a KL term holds to: the one that the loop started from.
 *
 * A fresh run freezes it inside the engine. Loading a checkpoint drops what was frozen, so a continued run opens the
 * warm-started weights a second time: a second copy either way, and never a part of LOOP.
 */
import type { Engine, Row, TokenOutputs } from "../spec/index.ts";

export interface ReferencePolicy {
  /** Log-probs under the frozen weights, at this temperature. */
  evaluate(rows: readonly Row[], temperature: number): Promise<readonly TokenOutputs[]>;
  close(): Promise<void>;
}

/** Freezes the engine's present weights. */
export async function snapshotReference(engine: Engine): Promise<ReferencePolicy> {
  await engine.snapshot();
  return {
    evaluate: (rows, temperature) => engine.evaluate(rows, { temperature, weights: "ref" }),
    close: async () => {},
  };
}

/** The weights in `directory`, in an engine of their own. */
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
