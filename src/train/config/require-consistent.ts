/** Checks that the fields of a configuration agree with each other, for the run and for each of its stages. */
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { Method } from "../../methods/index.ts";
import type { Config } from "./config.ts";
import { findConflict } from "./conflicts.ts";
import { applyStage, canChangeInStage, readSchedule } from "./stages.ts";

/** Returns the configuration, or throws a `config` error that names the fields that contradict each other. */
export function requireConsistentConfig(config: Config, method: Method): Config {
  const conflict = findConflict(config) ?? method.conflict(config);
  if (conflict !== undefined) throw new BowlineError("config", conflict);
  for (const [i, stage] of readSchedule(config).stages.entries()) {
    requireConsistentStage(config, method, stage, `schedule.stages.${i}.patch`);
  }
  return config;
}

/** Checks the whole configuration of a stage. `path` is the path of the stage in error messages. */
function requireConsistentStage(
  config: Config,
  method: Method,
  stage: Parameters<typeof applyStage>[1],
  path: string,
): void {
  const fixed = Object.keys(stage.patch).find((name) => !canChangeInStage(name));
  if (fixed !== undefined) {
    throw new BowlineError("config", `${path}: ${fixed} must be the same in the whole run`);
  }
  try {
    const phase = applyStage({ config, method }, stage);
    requireConsistentConfig(phase.config, phase.method);
  } catch (cause) {
    throw new BowlineError("config", `${path}: ${errorMessage(cause)}`, { cause });
  }
}
