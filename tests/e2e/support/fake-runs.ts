/** Whole runs through the library's door, on fakes: what tests of parts of one's own share. */
import { join } from "node:path";
import { BowlineError, resolveConfig, type Summary, type TrainOptions, train } from "bowline";
import { FAKE_RUN, fakeWorld, tableEngine } from "bowline/testing";

/** Whole runs of the table engine on the fake world take a second. */
export const FAKE_OVERRIDES = {
  ...FAKE_RUN,
  "world.trainScenarios": 6,
  "algo.iterations": 3,
  "algo.tasksPerIteration": 6,
  "algo.groupSize": 6,
  "evaluation.scenarios": 2,
};
/** Options of a run in `out`. */
export const fakeTrainOptions = (out: string): TrainOptions => ({
  out,
  world: fakeWorld(),
  engine: ({ model }) => tableEngine(model.vocabularySize),
});
export type TrainOnFakes = (
  name: string,
  own: Partial<TrainOptions>,
  fields?: object,
) => Promise<Summary>;

/** Runs of LOOP with parts of one's own, in `folder`. */
export function createTrainOnFakes(folder: string): TrainOnFakes {
  return (name, own, fields = {}) =>
    train(resolveConfig({ recipe: "smoke", overrides: { ...FAKE_OVERRIDES, ...fields } }), {
      ...fakeTrainOptions(join(folder, name)),
      ...own,
    });
}

/** What it rejects with, in words. */
export const describeRejection = (run: Promise<unknown>) =>
  run.then(
    () => "no error",
    (error) => (BowlineError.is(error) ? `${error.code}: ${error.message}` : error),
  );
