/** Lists the built-in worlds, without those that differ only in the length of tasks, such as `everyday/errands-3`. */
import { builtInWorlds } from "../../src/worlds/index.ts";

export const distinctWorlds: readonly (readonly [name: string, url: URL])[] = Object.entries(
  builtInWorlds,
)
  .filter(([name]) => !/-\d$/.test(name))
  .map(([name, { url }]) => [name, url]);
