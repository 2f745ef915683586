/**
 * Where a run goes when nobody says: `runs/<recipe>-seed<seed>`. A run in another world than its setting's has that world
 * in its name, so that the same recipe in two worlds makes two runs.
 */
import { join, relative } from "node:path";
import { isModulePath } from "../core/index.ts";
import { type Config, settings } from "../train/index.ts";
import { DEFAULT_WORLD } from "./shared-options.ts";
import { RUNS_FOLDER } from "./studio-folder.ts";

export function defaultRunDirectory({ recipe, setting, world, run }: Config): string {
  const own = settings[setting]?.config.world?.name ?? DEFAULT_WORLD;
  const elsewhere = isModulePath(world.name) ? relative("", world.name) : world.name;
  const names = world.name === own ? [recipe] : [recipe, elsewhere];
  return join(RUNS_FOLDER, [...names.map(toFolderName), `seed${run.seed}`].join("-"));
}

/** Part of a folder's name: without separators, and without the ending of a module. */
function toFolderName(name: string): string {
  return name
    .replace(/\.[cm]?[jt]s$/, "")
    .replaceAll(/[\\/.]+/g, "-")
    .replace(/^-+/, "");
}
