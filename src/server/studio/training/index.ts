/** Runs that the page starts: what is typed for them, their processes, their addresses. */
export { explainCannotStart, trainingRoutes } from "./routes.ts";
export { type ActiveTraining, createTrainers, type Trainers } from "./trainers.ts";
