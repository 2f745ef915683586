/** Runs that are started from the page: their command lines, processes and routes. */
export { explainCannotStart, trainingRoutes } from "./routes.ts";
export { type ActiveTraining, createTrainers, type Trainers } from "./trainers.ts";
