/**
 * Installs packages that only one folder needs (`site/` or `tests/slow/clients/`), from the package.json in that
 * folder.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../e2e/support/cli.ts";

const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/;

export const MISSING_PACKAGES =
  "the registry cannot be reached, and the packages of this test are not installed";

/**
 * Installs the packages of `folder` unless `samplePackage` is there. Returns false when the registry cannot be reached,
 * and throws when npm fails for another reason.
 */
export async function installPackages(folder: string, samplePackage: string): Promise<boolean> {
  if (existsSync(join(folder, "node_modules", samplePackage))) return true;
  const { code, stderr } = await runCommand("npm", ["ci"], { cwd: folder });
  if (code === 0) return true;
  if (UNREACHABLE.test(stderr)) return false;
  throw new Error(`npm ci in ${folder} failed:\n${stderr}`);
}
