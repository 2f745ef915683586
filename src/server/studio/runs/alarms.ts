/**
 * Alarms: what a person should know about a run before reading its curves. Thresholds are the trainer's own where it
 * has them; a comment at each other threshold gives the reason for its value.
 */
import { isPlainObject } from "../../../core/index.ts";
import type { RunDetail, RunRow } from "../../../spec/studio/index.ts";
import type { MetricTables, PhaseTable } from "./metric-tables.ts";

type Alarm = RunDetail["alarms"][number];

export interface AlarmInput {
  readonly tables: MetricTables;
  readonly config: Record<string, unknown>;
  readonly summary: Record<string, unknown>;
  readonly status: RunRow["status"];
}

/** Collects the alarms: those about the whole run first, then the first of each metric and how many more there are. */
export function collectAlarms({ tables, config, summary }: AlarmInput): Alarm[] {
  const { stoppedEarly, handlerExceptions } = summary;
  const loop = tables.get("loop");
  return [
    ...(typeof stoppedEarly === "string" ? [{ what: `stopped early: ${stoppedEarly}` }] : []),
    ...(isPlainObject(handlerExceptions)
      ? [{ what: `the world has a bug: ${String(handlerExceptions["first"])}` }]
      : []),
    ...[...tables].flatMap(([phase, table]) => findNonFiniteMetrics(phase, table)),
    ...(loop ? findTrainingAlarms(loop, config) : []),
  ];
}

function findTrainingAlarms(loop: PhaseTable, config: Record<string, unknown>): Alarm[] {
  const maxKl = readMaxTrajectoryKl(config);
  return [
    // Above algo.maxTrajectoryKl the trainer does not apply the minibatch and ends the iteration.
    ...findAlarm(
      loop,
      "kl/trajectory",
      (value) => Math.abs(value) > maxKl,
      (value) =>
        `the policy changed too much: the KL of a rollout is ${formatNumber(value)} nats, above ${formatNumber(maxKl)} (algo.maxTrajectoryKl), so minibatches were skipped`,
    ),
    ...findAlarm(
      loop,
      "kl/token",
      (value) => Math.abs(value) > MAX_TOKEN_KL,
      (value) =>
        `the policy changed much in one iteration: the KL of a token is ${formatNumber(value)} nats, as if each token had become more than twice as likely`,
    ),
    ...findAlarm(
      loop,
      "logprob/sampler_gap",
      (value) => Math.abs(value) > MAX_SAMPLER_GAP,
      (value) =>
        `sampler and learner differ by ${formatNumber(value)} nats on a token, so ratios are not 1 before the first update`,
    ),
    ...findAlarm(
      loop,
      "world/handler_exceptions",
      (value) => value > 0,
      (value) =>
        `${value} API calls hit a bug in the world, so the rewards of their rollouts mean nothing`,
    ),
    ...findAlarm(
      loop,
      "rollout/failed",
      (value) => value > 0,
      (value) => `${value} rollouts failed because the world or the agent failed`,
    ),
  ];
}

/**
 * In nats. exp(0.1) is a ratio of 1.105, as far from 1 as LOOP's clip (algo.clip 0.1) lets a policy move on purpose.
 * Engines of one precision differ by 1e-5, in half precision by about 0.01.
 */
const MAX_SAMPLER_GAP = 0.1;

/** In nats: the estimate r - 1 - ln r where every token became twice as likely. A step within the clip gives 0.005. */
const MAX_TOKEN_KL = 0.3;

function readMaxTrajectoryKl(config: Record<string, unknown>): number {
  const value = isPlainObject(config["algo"]) ? config["algo"]["maxTrajectoryKl"] : undefined;
  return typeof value === "number" ? value : 20;
}

/** Finds metrics that are null, as JSON writes NaN. A metric that is absent for a reason is missing instead of null. */
function findNonFiniteMetrics(phase: string, { steps, nonFinite: named }: PhaseTable): Alarm[] {
  const [first] = named;
  if (first === undefined) return [];
  const step = steps[first.row];
  const more = named.length > 1 ? `, and ${named.length - 1} more` : "";
  return [
    {
      what: `${first.name} is not a finite number (${phase})${more}`,
      ...(step !== undefined && { step }),
    },
  ];
}

function findAlarm(
  { steps, columns }: PhaseTable,
  name: string,
  isBad: (value: number) => boolean,
  describe: (value: number) => string,
): Alarm[] {
  const column = columns.get(name) ?? [];
  const rows = column.flatMap((value, row) => (value !== null && isBad(value) ? [row] : []));
  const [first] = rows;
  if (first === undefined) return [];
  const more = rows.length > 1 ? ` (and at ${rows.length - 1} more steps)` : "";
  return [{ what: describe(column[first]!) + more, step: steps[first]! }];
}

const formatNumber = (value: number) => String(Number(value.toPrecision(3)));
