import { openWorld } from "../../src/world/index.ts";
import { builtInWorlds } from "../../src/worlds/index.ts";
import { describeWorld } from "./describe-world.ts";

let opened = 0;

// The number of workers alternates between one and two, because no result may depend on it.
describeWorld("toy", (seed) =>
  openWorld(builtInWorlds["toy"]!.url.href, { seed, workers: 1 + (opened++ % 2) }),
);
