/**
 * Serves the studio for a run that trains in the same process (`bowline train --studio`). It only reads the run
 * directory, and ends with the run. `bowline studio` shows the run afterwards.
 */
import { createFolder } from "../core/index.ts";
import type { Studio } from "../server/index.ts";
import { chooseStudioFolder } from "./studio-folder.ts";

export async function openStudioForRun(directory: string): Promise<Studio> {
  const { openStudio } = await import("../server/index.ts");
  const folder = chooseStudioFolder(directory);
  createFolder(folder.root);
  return openStudio(folder);
}
