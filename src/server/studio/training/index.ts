/** Runs that the page starts: what is typed for them, their processes, their addresses. */
export { cannotStart, trainingRoutes } from "./routes.ts";
export { type Going, type Trainers, trainers } from "./trainers.ts";
