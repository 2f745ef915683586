/** Every mechanism with its counter, and the metrics of an iteration that they make. */
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

/** By the name that `docs/algorithms/systems.md` has for it. */
export const MECHANISMS: Readonly<Record<string, Mechanism>> = {
  ...REWARD_MECHANISMS,
  ...CREDIT_MECHANISMS,
  ...OBJECTIVE_MECHANISMS,
  ...ITERATION_MECHANISMS,
  ...SHAPE_MECHANISMS,
};

/** The names of its two metrics: `fires/<name>` counts where it acted, `meant/<name>` what it was meant for. */
export function counterMetricNames(mechanism: string): {
  readonly fired: string;
  readonly meant: string;
} {
  const name = mechanism.replaceAll(" ", "-");
  return { fired: `fires/${name}`, meant: `meant/${name}` };
}

/** The counters of those mechanisms that an iteration's configuration asks for and had an occasion for. */
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
