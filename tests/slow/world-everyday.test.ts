import { SPLITS } from "../../src/spec/index.ts";
import { openWorld } from "../../src/world/index.ts";
import { builtInWorlds } from "../../src/worlds/index.ts";
import { describeWorld } from "../contract/describe-world.ts";

describeWorld("everyday/starter", (seed) =>
  openWorld(builtInWorlds["everyday/starter"]!.url.href, { seed }),
);

describeWorld(
  "everyday/errands",
  (seed) => openWorld(builtInWorlds["everyday/errands"]!.url.href, { seed, workers: 1 }),
  ["train", "dev", "test-normal"],
);

describeWorld(
  "everyday",
  (seed) => openWorld(builtInWorlds["everyday"]!.url.href, { seed, workers: 1 }),
  SPLITS,
);
