/**
 * The method and configuration of an iteration: the run's, with those of the stage that the iteration is in, and with
 * numbers that follow a schedule read at it. A run without stages has one configuration, the very same object throughout.
 */
import { scheduledValue, stagePatchAt } from "../../algo/index.ts";
import { dropInactiveFields, type FieldValue, parseSection } from "../../core/index.ts";
import type { Method, scheduleSection } from "../../methods/index.ts";
import { type Config, configSection } from "./config.ts";
import { findMethodOfRun } from "./named-method.ts";
import { assignAt, merged, type Tree } from "./tree.ts";

type ScheduleConfig = FieldValue<typeof scheduleSection>;

/** What one iteration does. */
export interface Phase {
  readonly method: Method;
  readonly config: Config;
}

/** Sections that shape a whole run; the values of the others are read iteration by iteration. */
const FIXED_SECTIONS = [
  "run",
  "world",
  "engine",
  "model",
  "tokenizer",
  "warm",
  "evaluation",
  "budget",
  "extensions",
  "schedule",
  "collect",
  "context",
  "participants",
  "memory",
];
const FIXED = ["algo.iterations", "algo.staleness", "optimizer.finalRate", "optimizer.moments"];

/** Whether a stage may set a field. */
export function isChangeable(path: string): boolean {
  const [section = ""] = path.split(".");
  if (section === "scaffold") return path === "scaffold.maxTurns";
  if (section === "world") return path === "world.difficulties";
  return !FIXED_SECTIONS.includes(section) && !FIXED.includes(path);
}

export function scheduleOf(config: object): ScheduleConfig {
  return "schedule" in config
    ? (config.schedule as ScheduleConfig)
    : { maxTurns: null, stages: [] };
}

type Stage = ScheduleConfig["stages"][number];
const made = new WeakMap<Config, Map<Stage, Phase>>();

/** What a 1-based iteration is to do. */
export function phaseAt(run: Phase, iteration: number): Phase {
  const { maxTurns, stages } = scheduleOf(run.config);
  const [first, ...rest] = stages.map((stage) => ({ ...stage, patch: stage }));
  const staged =
    first === undefined ? run : stagePhase(run, stagePatchAt([first, ...rest], iteration - 1));
  if (maxTurns === null) return staged;
  const turns = Math.floor(scheduledValue(maxTurns, iteration - 1));
  const { scaffold } = staged.config;
  return { ...staged, config: { ...staged.config, scaffold: { ...scaffold, maxTurns: turns } } };
}

/** Every phase that some iteration may be in: what a run must be able to serve. */
export function phasesOf(run: Phase): readonly Phase[] {
  const { stages } = scheduleOf(run.config);
  return stages.length === 0 ? [run] : stages.map((stage) => stagePhase(run, stage));
}

function stagePhase(run: Phase, stage: Stage): Phase {
  const phases = made.get(run.config) ?? new Map<Stage, Phase>();
  const phase = phases.get(stage) ?? patchedPhase(run, stage);
  phases.set(stage, phase);
  made.set(run.config, phases);
  return phase;
}

/**
 * The run's configuration with a stage's method and fields. A field of the run that the stage's method has not is left
 * out. Throws a `config` error when the patch cannot be.
 */
export function patchedPhase(
  run: Phase,
  { method: name, patch }: Pick<Stage, "method" | "patch">,
): Phase {
  const own = { name: run.config.method, method: run.method };
  const { method } = name === undefined ? own : findMethodOfRun(name, own);
  const shape = configSection(method);
  const given: Tree = {};
  for (const [path, value] of Object.entries(patch)) assignAt(given, path.split("."), value);
  const whole = { ...merged(run.config), ...("schedule" in run.config && { schedule: {} }) };
  const all = merged(whole, given);
  return {
    method,
    config: parseSection(shape, merged(dropInactiveFields(shape, whole, all), given)),
  };
}
