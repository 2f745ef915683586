/**
 * Rollouts of other shapes than the linear one: branched, restarted, with a context that does not only grow, chained, with
 * other participants, with a memory over episodes. What a configuration leaves at its defaults is not here.
 */
export { collectShaped } from "./collect-shaped.ts";
export { type Company, companyOf } from "./company.ts";
export { isLinear } from "./linear.ts";
export type { MemoryStore } from "./memory/index.ts";
export type { StoredPrefix } from "./restart.ts";
export { SHAPE_RULES, shapeConflict } from "./rules.ts";
export { segmentedEngine } from "./segmented-engine.ts";
export { shaperOf, withCast } from "./shaper.ts";
