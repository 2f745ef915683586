/** Checks that the fields of a configuration agree with each other, for the run and for each of its stages. */
import { BowlineError, createRefusalError, errorMessage, type Refusal } from "../../core/index.ts";
import type { Method } from "../../methods/index.ts";
import type { Config } from "./config.ts";
import { findConflict } from "./conflicts.ts";
import { applyStage, canChangeInStage, readSchedule } from "./stages.ts";

/** Returns the configuration, or throws a `config` error that names the fields that contradict each other. */
export function requireConsistentConfig(config: Config, method: Method): Config {
  const contradiction = findContradiction(config, method);
  if (contradiction !== undefined) throw createRefusalError("config", [contradiction]);
  return config;
}

/** Returns the first contradiction between fields of the run and of its stages; undefined when there is none. */
export function findContradiction(config: Config, method: Method): Refusal | undefined {
  const conflict = findConflict(config);
  if (conflict !== undefined) return conflict;
  const ofMethod = method.conflict(config);
  if (ofMethod !== undefined) return { sentence: ofMethod };
  for (const [i, stage] of readSchedule(config).stages.entries()) {
    const ofStage = findStageContradiction(config, method, stage, `schedule.stages.${i}.patch`);
    if (ofStage !== undefined) return ofStage;
  }
  return undefined;
}

/** Returns the first contradiction in the configuration of a stage. `path` is the path of the stage in its sentence. */
function findStageContradiction(
  config: Config,
  method: Method,
  stage: Parameters<typeof applyStage>[1],
  path: string,
): Refusal | undefined {
  const fixed = Object.keys(stage.patch).find((name) => !canChangeInStage(name));
  if (fixed !== undefined) {
    return { sentence: `${path}: ${fixed} must be the same in the whole run` };
  }
  try {
    const phase = applyStage({ config, method }, stage);
    const found = findContradiction(phase.config, phase.method);
    return found && { sentence: `${path}: ${found.sentence}` };
  } catch (cause) {
    throw new BowlineError("config", `${path}: ${errorMessage(cause)}`, { cause });
  }
}
