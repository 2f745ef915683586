/**
 * Serves the studio for a run that trains in the same process (`bowline train --studio`). It only reads the run
 * directory, and ends with the run. `bowline studio` shows the run afterwards.
 */
import { mkdirSync } from "node:fs";
import type { Studio } from "../server/index.ts";
import { chooseStudioFolder } from "./studio-folder.ts";

export async function openStudioForRun(directory: string): Promise<Studio> {
  const { openStudio } = await import("../server/index.ts");
  const folder = chooseStudioFolder(directory);
  mkdirSync(folder.root, { recursive: true });
  return openStudio(folder);
}
