/**
 * The studio on a run that is about to train: in the same process, so it ends with the run, whose directory it only reads.
 * Afterwards `bowline studio` opens it again.
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
