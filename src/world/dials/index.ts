/** What the dials do to a world: other parameter names, outages and drift, and solutions that cope with both. */
export { adaptSolution, type SolutionSurface } from "./adapt-solution.ts";
export { Noise } from "./noise.ts";
export { type ParameterNames, renameParameters } from "./parameter-names.ts";
export { PLAIN, resolveDials } from "./resolve.ts";
