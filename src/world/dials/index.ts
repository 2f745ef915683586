/** What the dials do to a world: renamed parameters, outages and clock drift, and solutions that cope with both. */
export { adaptSolution, type SolutionSurface } from "./adapt-solution.ts";
export { CallNoise } from "./noise.ts";
export { type ParameterNames, renameParameters } from "./parameter-names.ts";
export { ALL_DIALS_OFF, resolveDials } from "./resolve.ts";
