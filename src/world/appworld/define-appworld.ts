/** `defineAppWorld` makes a world of an installation of AppWorld, which commands open by the path of its module. */
import { BowlineError } from "../../core/index.ts";
import type { SelfOpeningWorld } from "../opened-world.ts";
import type { AppWorldDefinition } from "./define.ts";

/** Defines the world of an installation of AppWorld. A world module exports the result as its default. */
export function defineAppWorld(definition: AppWorldDefinition): SelfOpeningWorld {
  return {
    name: "appworld",
    openWorld: async (options) => {
      const { openAppWorld } = await import("./appworld.ts");
      return openAppWorld(definition, options);
    },
    inspectWorld: async () => {
      throw new BowlineError(
        "world",
        "AppWorld's state is inside its servers, so there is nothing to inspect here; `bowline eval` plays it",
      );
    },
  };
}
