/**
 * What a person should know of a run before reading its curves, in words and by step. Thresholds are the trainer's own where
 * it has such; each of the others says why it is where it is.
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

/** Those of the run as a whole first, then by step. Of each kind, the first and how many more. */
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
    // The trainer's own stop: beyond it a minibatch is not applied and the iteration ends (algo.maxTrajectoryKl).
    ...findAlarm(
      loop,
      "kl/trajectory",
      (value) => Math.abs(value) > maxKl,
      (value) =>
        `the policy moved too far: KL of a rollout ${formatNumber(value)} nats, beyond ${formatNumber(maxKl)} (algo.maxTrajectoryKl); steps were skipped`,
    ),
    ...findAlarm(
      loop,
      "kl/token",
      (value) => Math.abs(value) > MAX_TOKEN_KL,
      (value) =>
        `the policy moved far in one iteration: KL of a token ${formatNumber(value)} nats, as if each had become more than twice as likely`,
    ),
    ...findAlarm(
      loop,
      "logprob/sampler_gap",
      (value) => Math.abs(value) > MAX_SAMPLER_GAP,
      (value) =>
        `sampler and learner disagree by ${formatNumber(value)} nats on a token: ratios are not 1 before anything is learned`,
    ),
    ...findAlarm(
      loop,
      "world/handler_exceptions",
      (value) => value > 0,
      (value) => `${value} API calls met a bug of the world: their rewards mean nothing`,
    ),
    ...findAlarm(
      loop,
      "rollout/failed",
      (value) => value > 0,
      (value) => `${value} rollouts were lost to a failing world or agent`,
    ),
  ];
}

/**
 * exp(0.1) is a ratio of 1.105: as far from 1 as the clip of LOOP allows a policy to move on purpose (algo.clip 0.1). Engines
 * in one precision are apart by 1e-5, in half precision by about 0.01.
 */
const MAX_SAMPLER_GAP = 0.1;

/** What the estimator (r - 1 - ln r) says of tokens that all became twice as likely; a step that the clip holds is at 0.005. */
const MAX_TOKEN_KL = 0.3;

function readMaxTrajectoryKl(config: Record<string, unknown>): number {
  const value = isPlainObject(config["algo"]) ? config["algo"]["maxTrajectoryKl"] : undefined;
  return typeof value === "number" ? value : 20;
}

/** Metrics that may be absent for a reason (an iteration in which nothing was learned has no loss) are missing, not null. */
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
