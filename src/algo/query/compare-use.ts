/**
 * Compares what rollouts did early and late: APIs that were called, statuses of calls, and checks that failed, each by
 * the share of rollouts in which it occurs.
 */
import type { RolloutFacts } from "../../spec/index.ts";
import type { ExploredUse } from "../../spec/studio/index.ts";
import { type Interval, wilsonInterval } from "../intervals.ts";
import type { QueryFieldName } from "./query-fields.ts";
import { countValues } from "./sort-facts.ts";

/** Two parts of a run that are compared, with what is compared in words. */
export type UseComparison = NonNullable<ExploredUse["comparison"]>;

/**
 * How often something occurs early and late, with Newcombe's 95% interval of the change of the share. It treats rollouts
 * as independent, which those of one task are not quite.
 */
export type UseChange = UseComparison["changes"][number];

const COMPARED_FIELDS: readonly QueryFieldName[] = ["api", "status", "check", "outcome"];

/**
 * Compares evaluations before and after training, or else the first and the last iteration among the rollouts. Returns
 * undefined if there are no such two parts.
 */
export function compareUse(rollouts: readonly RolloutFacts[]): UseComparison | undefined {
  const parts = splitEarlyAndLate(rollouts);
  if (parts === undefined) return undefined;
  const [early, late] = parts;
  const changes = COMPARED_FIELDS.flatMap((field) => {
    const [before, after] = [countByValue(early, field), countByValue(late, field)];
    const values = [...new Set([...before.keys(), ...after.keys()])];
    return values.map((value): UseChange => {
      const [a, b] = [before.get(value) ?? 0, after.get(value) ?? 0];
      return {
        field,
        value,
        early: a,
        late: b,
        ...changeOfShare(a, early.rollouts.length, b, late.rollouts.length),
      };
    });
  });
  const describePart = ({ name, rollouts }: Part) => ({ name, rollouts: rollouts.length });
  return {
    early: describePart(early),
    late: describePart(late),
    changes: changes.sort((a, b) => a.change - b.change),
  };
}

interface Part {
  readonly name: string;
  readonly rollouts: readonly RolloutFacts[];
}

function splitEarlyAndLate(rollouts: readonly RolloutFacts[]): readonly [Part, Part] | undefined {
  const ofPhase = (wanted: string) => rollouts.filter(({ phase }) => phase === wanted);
  const [before, after] = [ofPhase("before"), ofPhase("after")];
  if (before.length > 0 && after.length > 0)
    return [
      { name: "before training", rollouts: before },
      { name: "after training", rollouts: after },
    ];
  const training = ofPhase("train");
  const iterations = [...new Set(training.map(({ iteration = 0 }) => iteration))];
  const [first, ...later] = iterations.sort((a, b) => a - b);
  const last = later.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const ofIteration = (wanted: number) => ({
    name: `iteration ${wanted}`,
    rollouts: training.filter(({ iteration }) => iteration === wanted),
  });
  return [ofIteration(first), ofIteration(last)];
}

function countByValue({ rollouts }: Part, field: QueryFieldName): Map<string, number> {
  const counts = countValues(rollouts, field);
  return new Map(counts.map(({ value, rollouts }) => [value, rollouts]));
}

/**
 * Returns the change from the share a / ofA to the share b / ofB, with its 95% interval.
 * Source: Newcombe, Interval estimation for the difference between independent proportions (1998), method 10.
 */
export function changeOfShare(a: number, ofA: number, b: number, ofB: number) {
  const [shareA, shareB] = [a / ofA, b / ofB];
  const [lowA, highA] = wilsonInterval(shareA, ofA);
  const [lowB, highB] = wilsonInterval(shareB, ofB);
  const change = shareB - shareA;
  const interval: Interval = [
    change - Math.hypot(shareB - lowB, highA - shareA),
    change + Math.hypot(highB - shareB, shareA - lowA),
  ];
  return { change, interval };
}
