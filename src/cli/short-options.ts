/** The options of `bowline train` that are short forms of a configuration field, with this field. */
export const SHORT_OPTIONS = {
  warm: "warm.policy",
  world: "world.name",
  engine: "engine.name",
  seed: "run.seed",
  minutes: "run.minutes",
  scenarios: "evaluation.scenarios",
  scaffold: "scaffold.name",
  sampler: "algo.taskSampling",
} as const;
