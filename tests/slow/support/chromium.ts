/**
 * Finds the Chromium that tests of the studio use. playwright-core downloads no browser, so one must be installed: the
 * one that BOWLINE_CHROMIUM names, or one in the PATH under a usual name.
 */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export const NO_CHROMIUM =
  "no Chromium is installed: install the package chromium (or Google Chrome), or set BOWLINE_CHROMIUM to a browser's path";

/** Returns the path of Chromium, or undefined when none is installed. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env["BOWLINE_CHROMIUM"];
  if (named) return isProgram(named) ? named : undefined;
  const folders = (env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
