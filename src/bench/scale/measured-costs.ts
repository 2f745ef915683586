/**
 * What a turn, a row and an episode cost, as measured. `bowline plan` computes from these numbers alone, and prints
 * where each comes from. Change a number only together with its command and date.
 */

/** A measured number and where it comes from. */
export interface MeasuredCost {
  readonly value: number;
  readonly unit: string;
  /** What was measured, for a person. */
  readonly what: string;
  /** The command that measures it. */
  readonly command: string;
  /** The day of the measurement, and the machine. */
  readonly measured: string;
}

const MACHINE = "27 November 2026, two cores of an AMD EPYC shared with other work";
const CONTROLLER = "bowline bench controller --rollouts 1000 --turns 8 --latency 1000 --json";
const REMOTE_CONTROLLER =
  "bowline bench controller --rollouts 1000 --turns 8 --latency 1000 --world openenv:URL,URL --json";
const COSTS = "npx tsx bench/plan/measure-costs.ts (in a clone)";

export const MEASURED_COSTS = {
  controllerMsPerTurn: {
    value: 2.04,
    unit: "ms",
    what: "processor time of a turn in the controller, with the world in the same process",
    ...{ command: CONTROLLER, measured: MACHINE },
  },
  remoteControllerMsPerTurn: {
    value: 1.94,
    unit: "ms",
    what: "processor time of a turn in the controller, with the world on two hosts",
    ...{ command: REMOTE_CONTROLLER, measured: MACHINE },
  },
  remoteControllerMbPerRollout: {
    value: 0.57,
    unit: "MB",
    what: "peak memory of the controller for each rollout at once, with the world on hosts and rows of 18,734 tokens after 8 turns",
    ...{ command: REMOTE_CONTROLLER, measured: MACHINE },
  },
  controllerMbPerRollout: {
    value: 0.96,
    unit: "MB",
    what: "peak memory of the controller for each rollout at once, with the world in the same process",
    ...{ command: CONTROLLER, measured: MACHINE },
  },
  worldMbPerEpisode: {
    value: 0.19,
    unit: "MB",
    what: "memory of an open episode of everyday on a host",
    ...{ command: COSTS, measured: MACHINE },
  },
  hostBaseMb: {
    value: 366,
    unit: "MB",
    what: "memory of a host that serves everyday, without episodes",
    ...{ command: COSTS, measured: MACHINE },
  },
  hostMsPerTurn: {
    value: 0.63,
    unit: "ms",
    what: "processor time of a turn on a host that serves everyday, one short cell and its share of an evaluation",
    ...{ command: COSTS, measured: MACHINE },
  },
} as const satisfies Readonly<Record<string, MeasuredCost>>;

export type CostName = keyof typeof MEASURED_COSTS;
