/** Packages that one folder alone needs (`site/`, `tests/slow/clients/`) stand in a package.json of its own, and are installed by who asks. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../e2e/support/cli.ts";

const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/;

export const MISSING_PACKAGES =
  "the registry cannot be reached, and the packages of this test are not installed";

/**
 * Whether the packages of `folder` are there: installed now where `one` of them is missing. False where the registry cannot be
 * reached; throws where npm fails otherwise.
 */
export async function haveOwnPackages(folder: string, one: string): Promise<boolean> {
  if (existsSync(join(folder, "node_modules", one))) return true;
  const { code, stderr } = await runCommand("npm", ["ci"], { cwd: folder });
  if (code === 0) return true;
  if (UNREACHABLE.test(stderr)) return false;
  throw new Error(`npm ci in ${folder} failed:\n${stderr}`);
}
