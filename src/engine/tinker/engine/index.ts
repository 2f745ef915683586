/** The engine on any server that speaks the Tinker protocol. */

export { readServedWeights, type ServedWeights } from "./checkpoint.ts";
export { createTinkerEngine, type TinkerEngineOptions } from "./create-engine.ts";
export type { ServerTraits } from "./server-traits.ts";
