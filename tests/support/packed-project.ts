/** Packs the package and installs it into an empty project, as a user gets it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FinishedProcess, ROOT, runCommand } from "../e2e/support/cli.ts";

/** What `npm pack --json` prints about a tarball. */
export interface PackedPackage {
  readonly filename: string;
  /** Bytes of the tarball. */
  readonly size: number;
  /** Bytes of the files in it. */
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Packs the built package at `from` into a tarball in `folder`. */
export async function packPackage(folder: string, from = ROOT): Promise<PackedPackage> {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await runCommand("npm", args, { cwd: from });
  return JSON.parse(stdout)[0];
}

const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/**
 * Makes the folder `project` a CommonJS package, as `npm init -y` does, with the fields of `manifest`. Then installs
 * the tarball, and the types of Node, which our declarations need.
 */
export async function installPackage(
  project: string,
  { filename }: PackedPackage,
  manifest: object = {},
  options: readonly string[] = ["--ignore-scripts"],
): Promise<FinishedProcess> {
  const packageJson = { name: "empty", version: "1.0.0", private: true, ...manifest };
  writeFileSync(join(project, "package.json"), `${JSON.stringify(packageJson)}\n`);
  const types = `@types/node@${devDependencies["@types/node"]}`;
  return runCommand(
    "npm",
    ["install", ...options, "--no-audit", "--no-fund", "--prefer-offline", `./${filename}`, types],
    { cwd: project, env: { npm_config_loglevel: "error" } },
  );
}
