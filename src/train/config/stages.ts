/**
 * The method and configuration of an iteration. A stage of the run may change both, and a schedule may change a number
 * such as `scaffold.maxTurns`. A run without stages has one configuration, and every iteration gets the same object.
 */
import { scheduledValue, stagePatchAt } from "../../algo/index.ts";
import { dropInactiveFields, type FieldValue, parseSection } from "../../core/index.ts";
import type { Method, scheduleSection } from "../../methods/index.ts";
import { type Config, configSection } from "./config.ts";
import { type ConfigTree, mergeTrees, setAtPath } from "./config-tree.ts";
import { findMethodOfRun } from "./named-method.ts";

type ScheduleConfig = FieldValue<typeof scheduleSection>;

/** A configuration with its method: those of a run, or of some of its iterations. */
export interface ConfigAndMethod {
  readonly method: Method;
  readonly config: Config;
}

/**
 * The sections that hold for a whole run. A stage may change all other sections, because they are read at every
 * iteration.
 */
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
  "context",
  "participants",
  "memory",
];
const FIXED_FIELDS = [
  "algo.iterations",
  "algo.staleness",
  "optimizer.finalRate",
  "optimizer.moments",
];

/** Returns true if a stage may change the field or section at this path. */
export function canChangeInStage(path: string): boolean {
  const [section = ""] = path.split(".");
  if (section === "scaffold") return path === "scaffold.maxTurns";
  if (section === "world") return path === "world.difficulties";
  if (section === "collect") return path === "collect.share";
  return !FIXED_SECTIONS.includes(section) && !FIXED_FIELDS.includes(path);
}

export function readSchedule(config: object): ScheduleConfig {
  return "schedule" in config
    ? (config.schedule as ScheduleConfig)
    : { maxTurns: null, stages: [] };
}

type Stage = ScheduleConfig["stages"][number];
const resultsByConfig = new WeakMap<Config, Map<Stage, ConfigAndMethod>>();

/** Returns the method and configuration of an iteration; iterations count from 1. */
export function configAndMethodAt(run: ConfigAndMethod, iteration: number): ConfigAndMethod {
  const { maxTurns, stages } = readSchedule(run.config);
  const [first, ...rest] = stages.map((stage) => ({ ...stage, patch: stage }));
  const staged =
    first === undefined
      ? run
      : findStageConfigAndMethod(run, stagePatchAt([first, ...rest], iteration - 1));
  if (maxTurns === null) return staged;
  const turns = Math.floor(scheduledValue(maxTurns, iteration - 1));
  const { scaffold } = staged.config;
  return { ...staged, config: { ...staged.config, scaffold: { ...scaffold, maxTurns: turns } } };
}

/** Returns the configuration and method of each stage, or those of the run if it has no stages. */
export function listConfigsAndMethods(run: ConfigAndMethod): readonly ConfigAndMethod[] {
  const { stages } = readSchedule(run.config);
  return stages.length === 0 ? [run] : stages.map((stage) => findStageConfigAndMethod(run, stage));
}

function findStageConfigAndMethod(run: ConfigAndMethod, stage: Stage): ConfigAndMethod {
  const phases = resultsByConfig.get(run.config) ?? new Map<Stage, ConfigAndMethod>();
  const phase = phases.get(stage) ?? applyStage(run, stage);
  phases.set(stage, phase);
  resultsByConfig.set(run.config, phases);
  return phase;
}

/**
 * Returns the run's configuration with the method and fields of a stage. Fields that the stage's method does not have
 * are left out. Throws a `config` error when a field of the stage is wrong.
 */
export function applyStage(
  run: ConfigAndMethod,
  { method: name, patch }: Pick<Stage, "method" | "patch">,
): ConfigAndMethod {
  const own = { name: run.config.method, method: run.method };
  const { method } = name === undefined ? own : findMethodOfRun(name, own);
  const shape = configSection(method);
  const given: ConfigTree = {};
  for (const [path, value] of Object.entries(patch)) setAtPath(given, path.split("."), value);
  const whole = { ...mergeTrees(run.config), ...("schedule" in run.config && { schedule: {} }) };
  const all = mergeTrees(whole, given);
  return {
    method,
    config: parseSection(shape, mergeTrees(dropInactiveFields(shape, whole, all), given)),
  };
}
