/**
 * The studio on a run that is about to train: in the same process, so it ends with the run, whose directory it only reads.
 * Afterwards `bowline studio` opens it again.
 */
import { mkdirSync } from "node:fs";
import type { Studio } from "../server/index.ts";
import { studioFolder } from "./studio-folder.ts";

export async function studioBeside(directory: string): Promise<Studio> {
  const { openStudio } = await import("../server/index.ts");
  const folder = studioFolder(directory);
  mkdirSync(folder.root, { recursive: true });
  return openStudio(folder);
}
