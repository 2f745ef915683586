/** An engine that works with any server of the Tinker protocol. */

export { readServedWeights, type ServedWeights } from "./checkpoint.ts";
export { createTinkerEngine, type TinkerEngineOptions } from "./create-engine.ts";
export type { ServerTraits } from "./server-traits.ts";
