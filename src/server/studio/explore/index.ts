/** Questions of the rollouts of several runs. */
export { exploreRoutes } from "./explore.ts";
