/**
 * A smaller version of `qwen2.5-32b` for a first run with a real model, on a hosted service or on one GPU of 80 GB: an
 * 8B model, two fifths of the rollouts an iteration, shorter rows.
 *
 *   bowline train loop-qwen3-8b --engine.url http://127.0.0.1:8000 --engine.model models/Qwen3-8B
 *
 * Deviations in addition to those of `qwen2.5-32b` (1 to 4 there):
 *  5. 16 tasks an iteration and minibatches of 16, so that an iteration still has up to twelve steps; 60 iterations.
 *  6. Rows of 24,000 tokens instead of 32,000: the released code says that this loses very little, and rows are
 *     shorter.
 *  7. The model does not think before it answers. The released code lets this model think, as `--scaffold.thinking true
 *     --scaffold.max-turn-tokens 3200` does; a turn then costs more than twice as much.
 *  8. 20 scenarios of dev are evaluated every ten iterations, and 40 of each split before and after training.
 */
import type { Setting } from "./setting.ts";

export const qwen38b: Setting = {
  summary: "an 8B model and fewer rollouts, for a first run with a real model",
  config: {
    world: {
      name: "everyday",
      trainScenarios: 180,
      difficulties: [1, 2],
      workers: 2,
      episodes: 96,
    },
    algo: { tasksPerIteration: 16, minibatch: 16, iterations: 60 },
    engine: {
      name: "tinker",
      baseModel: "Qwen/Qwen3-8B",
      lora: { rank: 16 },
    },
    model: { contextLength: 24_576 },
    scaffold: { name: "react", maxTokens: 24_000 },
    evaluation: { every: 10, everyScenarios: 20, scenarios: 40, scores: ["dev", "test-normal"] },
  },
};
