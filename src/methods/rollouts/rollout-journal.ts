/** The journal keeps finished rollouts until the next checkpoint. `train` keeps them in files of the run directory. */
import type { Rollout } from "../../spec/index.ts";

/** What identifies a rollout: with the same weights, two rollouts with the same identity are equal. */
export interface RolloutIdentity {
  readonly id: string;
  readonly task: { readonly id: string };
  readonly stream: number;
}

/** The stored rollouts of one step. */
export interface RolloutJournal {
  /**
   * Returns the stored rollout with this identity that was evaluated, or that an agent did not end in time. Undefined
   * when it must still run.
   */
  find(wanted: RolloutIdentity): Rollout | undefined;
  /**
   * Stores a rollout. `find` does not return one that failed otherwise than by time, because it may succeed when it runs
   * again; it is stored for a diagnosis alone. Cancelled ones are not stored. Throws a `store` error when the file cannot
   * be written.
   */
  add(rollout: Rollout): void;
}
