/** Opens the reference policy, which is a copy of the policy with which the training loop started. */
import { loadReference, type ReferencePolicy, snapshotReference } from "../../methods/index.ts";
import { listConfigsAndMethods } from "../config/stages.ts";
import type { TrainingRun } from "../run/training-run.ts";

/** Returns the reference policy; undefined if no method uses one, so that LOOP holds no second copy of the weights. */
export async function openReference(run: TrainingRun): Promise<ReferencePolicy | undefined> {
  const { engine, state, store, createEngine, takeLearned } = run;
  takeLearned();
  if (!listConfigsAndMethods(run).some(({ method, config }) => method.usesReference(config)))
    return undefined;
  if (state.iteration === 0) return snapshotReference(engine);
  return loadReference(await createEngine(), store.path("checkpoints", "warm", "engine"));
}
