/** The package as a person gets it: packed, and installed into an empty project. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FinishedProcess, ROOT, runCommand } from "../e2e/support/cli.ts";

/** What `npm pack --json` says of a tarball. */
export interface PackedPackage {
  readonly filename: string;
  /** Bytes of the tarball, and of what it holds. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Packs the built package into `folder`. */
export async function packPackage(folder: string, from = ROOT): Promise<PackedPackage> {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await runCommand("npm", args, { cwd: from });
  return JSON.parse(stdout)[0];
}

const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/**
 * Makes `project` what `npm init -y` makes, a CommonJS package, with `manifest` in its package.json; installs the tarball
 * and what a project in TypeScript for Node has anyway, the types of Node, which our declarations name.
 */
export async function installPackage(
  project: string,
  { filename }: PackedPackage,
  manifest: object = {},
  options: readonly string[] = ["--ignore-scripts"],
): Promise<FinishedProcess> {
  const about = { name: "empty", version: "1.0.0", private: true, ...manifest };
  writeFileSync(join(project, "package.json"), `${JSON.stringify(about)}\n`);
  const types = `@types/node@${devDependencies["@types/node"]}`;
  return runCommand(
    "npm",
    ["install", ...options, "--no-audit", "--no-fund", "--prefer-offline", `./${filename}`, types],
    { cwd: project, env: { npm_config_loglevel: "error" } },
  );
}
