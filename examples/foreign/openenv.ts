/** A world around an environment that speaks OpenEnv. The environment itself judges the episode. */
import { defineForeignWorld, type ForeignTask, openenvApps } from "bowline/world";

/** `data` is what the environment gets with its message `reset`. */
const createTask = (index: number): ForeignTask => ({
  signature: "env",
  difficulty: 1,
  instruction: "Do what apis.env.observation({}) asks, then call apis.me.finishTask({}).",
  data: { split: "train", index },
});

export default defineForeignWorld({
  name: "env",
  apps: openenvApps({ url: "http://127.0.0.1:8131" }),
  scenarios: { train: 10 },
  tasks: ({ index }) => [
    createTask(3 * index),
    createTask(3 * index + 1),
    createTask(3 * index + 2),
  ],
});
