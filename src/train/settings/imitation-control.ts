/**
 * The control for `starter`: the whole time budget goes to imitating careful demonstrations, and LOOP never runs. It
 * shows whether reinforcement learning, and not just more training, makes the difference. Model, world and evaluation
 * are those of `starter`. Since there are no iterations, the scores after training are those before training.
 */
import type { Setting } from "./setting.ts";
import { starter } from "./starter.ts";

export const imitationControl: Setting = {
  summary: "starter's time budget spent on imitating careful demonstrations, without LOOP",
  config: {
    ...starter.config,
    warm: { ...starter.config["warm"], demonstrations: 22_000, hastyShare: 0 },
    algo: { ...starter.config["algo"], iterations: 0 },
  },
};
