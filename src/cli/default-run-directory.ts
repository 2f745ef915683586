/**
 * Determines the run directory when the user names none: `runs/<recipe>-seed<seed>`. If a run uses another world than
 * its setting, the directory also has the name of the world, so that one recipe in two worlds makes two runs. The same
 * holds for an environment.
 */
import { join, relative } from "node:path";
import { isModulePath } from "../core/index.ts";
import { type Config, settings } from "../train/index.ts";
import { DEFAULT_WORLD } from "./shared-options.ts";
import { RUNS_FOLDER } from "./studio-folder.ts";

export function defaultRunDirectory(
  { recipe, setting, world, run }: Config,
  environment?: string,
): string {
  const settingWorld = settings[setting]?.config.world?.name ?? DEFAULT_WORLD;
  const worldName = isModulePath(world.name) ? relative("", world.name) : world.name;
  const names = world.name === settingWorld ? [recipe] : [recipe, worldName];
  if (environment !== undefined) names.push(environment);
  return join(RUNS_FOLDER, [...names.map(toFolderName), `seed${run.seed}`].join("-"));
}

/** Converts a name or path to a part of a folder's name, without separators and without a module's file ending. */
function toFolderName(name: string): string {
  return name
    .replace(/\.[cm]?[jt]s$/, "")
    .replaceAll(/[\\/.:,]+/g, "-")
    .replace(/^-+/, "");
}
