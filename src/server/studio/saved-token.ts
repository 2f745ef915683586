/**
 * The token of a studio on a chosen port. It is kept in a file of the user's, which only the user can read, so that a
 * page in the browser still works after the studio was started again. It is never kept in a folder of runs.
 */
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findUserFolder } from "../../core/index.ts";

const TOKEN = /^[\w-]{32}$/;

/** Returns the token that was kept for this port, or keeps a new one. A token that cannot be kept still holds now. */
export function loadToken(port: number, createToken: () => string): string {
  const folder = join(findUserFolder(), "studio");
  const path = join(folder, `token-${port}`);
  const kept = readKeptToken(path);
  if (kept !== undefined) return kept;
  const token = createToken();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, `${token}\n`, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch {
    // When the user's folder cannot be written to, the next start has another token.
  }
  return token;
}

/** Returns the token of the file; undefined if it is missing, or if others can read it. */
function readKeptToken(path: string): string | undefined {
  try {
    const { mode, uid } = lstatSync(path);
    const isPrivate =
      process.platform === "win32" || ((mode & 0o177) === 0 && uid === process.getuid?.());
    const token = readFileSync(path, "utf8").trim();
    return isPrivate && TOKEN.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}
