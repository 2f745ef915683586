/** `defineForeignWorld` makes a world of foreign apps, which every command opens by the path of its module. */
import type { OpenSelfOptions, SelfOpeningWorld } from "../opened-world.ts";
import type { ForeignWorldDefinition } from "./define.ts";
import type { ForeignWorld } from "./foreign-world.ts";

/** A foreign world as a module exports it. */
export interface DefinedForeignWorld extends SelfOpeningWorld {
  readonly definition: ForeignWorldDefinition;
  openWorld(options: OpenSelfOptions): Promise<ForeignWorld>;
}

/** Defines a world of foreign apps. A world module exports the result as its default. */
export function defineForeignWorld(definition: ForeignWorldDefinition): DefinedForeignWorld {
  return {
    name: definition.name,
    definition,
    openWorld: async (options) => {
      const { openForeignWorld } = await import("./foreign-world.ts");
      return openForeignWorld(definition, options);
    },
    inspectWorld: async (options) => {
      const { inspectForeignWorld } = await import("./inspect-foreign-world.ts");
      return inspectForeignWorld(definition, options);
    },
  };
}
