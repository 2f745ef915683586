import { openWorld } from "../../src/world/index.ts";
import { builtInWorlds } from "../../src/worlds/index.ts";
import { describeWorld } from "./world.ts";

let opened = 0;

// One worker, then two, then one: nothing may depend on their number.
describeWorld("toy", (seed) =>
  openWorld(builtInWorlds["toy"]!.url.href, { seed, workers: 1 + (opened++ % 2) }),
);
