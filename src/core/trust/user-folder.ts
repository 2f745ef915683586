/** The folder of this user's own settings, which lies outside of runs and projects. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Returns the path of the user's folder: `BOWLINE_HOME` if it is set, otherwise `bowline` in `%APPDATA%` (Windows), in
 * `XDG_CONFIG_HOME` or in `~/.config`. The folder need not exist.
 */
export function findUserFolder(): string {
  const { BOWLINE_HOME, APPDATA, XDG_CONFIG_HOME } = process.env;
  const isSet = (path: string | undefined): path is string =>
    path !== undefined && isAbsolute(path);
  if (isSet(BOWLINE_HOME)) return BOWLINE_HOME;
  if (process.platform === "win32" && isSet(APPDATA)) return join(APPDATA, "bowline");
  // A relative path would let the working directory decide what is trusted.
  return join(isSet(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), ".config"), "bowline");
}
