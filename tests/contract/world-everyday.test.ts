import { openWorld } from "../../src/world/index.ts";
import { builtInWorlds } from "../../src/worlds/index.ts";
import { describeWorld } from "./world.ts";

describeWorld("everyday/starter", (seed) =>
  openWorld(builtInWorlds["everyday/starter"]!.href, { seed }),
);
