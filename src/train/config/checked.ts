/** The checks of a whole configuration: what no single field can tell, for the run and for each of its stages. */
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { Method } from "../../methods/index.ts";
import type { Config } from "./config.ts";
import { findConflict } from "./conflicts.ts";
import { isChangeable, patchedPhase, scheduleOf } from "./stages.ts";

/** Returns the configuration, or throws a `config` error that names the fields that contradict each other. */
export function requireConsistent(config: Config, method: Method): Config {
  const conflict = findConflict(config) ?? method.conflict(config);
  if (conflict !== undefined) throw new BowlineError("config", conflict);
  for (const [i, stage] of scheduleOf(config).stages.entries()) {
    requireConsistentStage(config, method, stage, `schedule.stages.${i}.patch`);
  }
  return config;
}

/** A stage is a whole configuration too. `path` says where the stage stands. */
function requireConsistentStage(
  config: Config,
  method: Method,
  stage: Parameters<typeof patchedPhase>[1],
  path: string,
): void {
  const fixed = Object.keys(stage.patch).find((name) => !isChangeable(name));
  if (fixed !== undefined) {
    throw new BowlineError("config", `${path}: ${fixed} is the same in the whole run`);
  }
  try {
    const phase = patchedPhase({ config, method }, stage);
    requireConsistent(phase.config, phase.method);
  } catch (cause) {
    throw new BowlineError("config", `${path}: ${errorMessage(cause)}`, { cause });
  }
}
