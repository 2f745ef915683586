/** A world that passes every call on to another one, except for what is changed. */
import type { OpenedWorld } from "../../src/world/index.ts";

export function changeWorld(world: OpenedWorld, changes: Partial<OpenedWorld>): OpenedWorld {
  const { name, version, seed, dials, hasSolutions, splits } = world;
  return {
    ...{ name, seed, dials, hasSolutions, splits, ...(version !== undefined && { version }) },
    tasks: (split, scenarios) => world.tasks(split, scenarios),
    open: (id) => world.open(id),
    demonstrate: (id, style, seed) => world.demonstrate(id, style, seed),
    describeApis: () => world.describeApis(),
    inventory: () => world.inventory(),
    check: (id) => world.check(id),
    close: async () => {},
    ...changes,
  };
}
