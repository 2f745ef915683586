/**
 * The system's Chromium, which the studio's tests drive. playwright-core downloads no browser, so one has to be there:
 * named by BOWLINE_CHROMIUM, or on the PATH under one of its usual names.
 */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export const MISSING =
  "no Chromium is installed: install the package chromium (or Google Chrome), or name a browser by BOWLINE_CHROMIUM";

/** Its path, or undefined where none is installed. */
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
