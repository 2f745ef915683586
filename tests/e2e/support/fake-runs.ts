/** Trains with the public `train()` on a fake world and a table engine. Tests of custom parts share this. */
import { join } from "node:path";
import { BowlineError, resolveConfig, type Summary, type TrainOptions, train } from "bowline";
import { FAKE_RUN, fakeWorld, tableEngine } from "bowline/testing";

/** Overrides with which a whole run takes a second. */
export const FAKE_FIELDS = {
  ...FAKE_RUN,
  "world.trainScenarios": 6,
  "algo.iterations": 3,
  "algo.tasksPerIteration": 6,
  "algo.groupSize": 6,
  "evaluation.scenarios": 2,
};
/** Returns the options of a run in the folder `out`. */
export const fakeOptions = (out: string): TrainOptions => ({
  out,
  world: fakeWorld(),
  engine: ({ model }) => tableEngine(model.vocabularySize),
});
/** A function that trains in the folder `name`, with further options of `train()` and further configuration fields. */
export type TrainOnFakes = (
  name: string,
  options: Partial<TrainOptions>,
  fields?: object,
) => Promise<Summary>;

/** Returns a function that trains by LOOP on fakes, each run in its own folder below `folder`. */
export function createTrainOnFakes(folder: string): TrainOnFakes {
  return (name, options, fields = {}) =>
    train(resolveConfig({ recipe: "smoke", overrides: { ...FAKE_FIELDS, ...fields } }), {
      ...fakeOptions(join(folder, name)),
      ...options,
    });
}

/** Returns code and message of the error that `run` rejects with, or "no error". */
export const describeError = (run: Promise<unknown>) =>
  run.then(
    () => "no error",
    (error) => (BowlineError.is(error) ? `${error.code}: ${error.message}` : error),
  );
