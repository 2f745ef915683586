/** The built-in worlds; of sets that differ only in how long their tasks are (`everyday/errands-3`), the mixed one. */
import { builtInWorlds } from "../../src/worlds/index.ts";

export const distinctWorlds: readonly (readonly [name: string, url: URL])[] = Object.entries(
  builtInWorlds,
)
  .filter(([name]) => !/-\d$/.test(name))
  .map(([name, { url }]) => [name, url]);
