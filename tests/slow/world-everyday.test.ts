import { SPLITS } from "../../src/spec/index.ts";
import { openWorld } from "../../src/world/index.ts";
import { builtInWorlds } from "../../src/worlds/index.ts";
import { describeWorld } from "../contract/world.ts";

describeWorld("everyday/starter", (seed) =>
  openWorld(builtInWorlds["everyday/starter"]!.href, { seed }),
);

describeWorld(
  "everyday/errands",
  (seed) => openWorld(builtInWorlds["everyday/errands"]!.href, { seed, workers: 1 }),
  ["train", "dev", "test-normal"],
);

describeWorld(
  "everyday",
  (seed) => openWorld(builtInWorlds["everyday"]!.href, { seed, workers: 1 }),
  SPLITS,
);
