/** All mechanisms with their counters, and the metrics that the counters compute from an iteration. */
import { CREDIT_MECHANISMS } from "./credit.ts";
import type { Evidence, FiringCount, Mechanism } from "./mechanism.ts";
import { OBJECTIVE_MECHANISMS } from "./objective.ts";
import { ITERATION_MECHANISMS } from "./over-iterations.ts";
import { REWARD_MECHANISMS } from "./rewards.ts";
import { SHAPE_MECHANISMS } from "./shapes.ts";

export {
  type Evidence,
  type FiringCount,
  type LearningRecord,
  type Mechanism,
  readField,
} from "./mechanism.ts";

/** All mechanisms, by the names in `docs/algorithms/systems.md`. */
export const MECHANISMS: Readonly<Record<string, Mechanism>> = {
  ...REWARD_MECHANISMS,
  ...CREDIT_MECHANISMS,
  ...OBJECTIVE_MECHANISMS,
  ...ITERATION_MECHANISMS,
  ...SHAPE_MECHANISMS,
};

/**
 * Returns the names of a mechanism's two metrics: `fires/<name>` counts how often it acted, `meant/<name>` how often it
 * had an occasion.
 */
export function counterMetricNames(mechanism: string): {
  readonly fired: string;
  readonly meant: string;
} {
  const name = mechanism.replaceAll(" ", "-");
  return { fired: `fires/${name}`, meant: `meant/${name}` };
}

/** Returns the metrics of the mechanisms that the configuration enables and that had an occasion in the iteration. */
export function computeFiringMetrics(evidence: Evidence): Record<string, number> {
  const on = Object.entries(MECHANISMS).filter(([, mechanism]) => mechanism.isOn(evidence.config));
  const counts = on.map(([name, mechanism]): [string, FiringCount] => [
    name,
    mechanism.count(evidence),
  ]);
  return Object.fromEntries(
    counts
      .filter(([, { meant }]) => meant > 0)
      .flatMap(([name, { meant, fired }]) => {
        const names = counterMetricNames(name);
        return [
          [names.fired, fired],
          [names.meant, meant],
        ];
      }),
  );
}
