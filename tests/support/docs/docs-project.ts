/**
 * Creates an empty project that has the files of the packed package, and links to the packages that it depends on.
 * Nothing is downloaded, and commands of a page find the documentation, examples and build that a user has.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder, ROOT, runCommand } from "../../e2e/support/cli.ts";

export interface DocsProject {
  /** Returns a folder in the project, and creates it at the first call. */
  folder(name: string): string;
  remove(): void;
}

export async function createDocsProject(): Promise<DocsProject> {
  const { path, remove } = createTemporaryFolder();
  const modules = join(path, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  linkDependencies(modules);
  await unpackPackage(modules);
  chmodSync(join(modules, COMMANDS.bowline), 0o755);
  for (const [name, script] of Object.entries(COMMANDS))
    symlinkSync(join("..", script), join(modules, ".bin", name));
  return {
    folder(name) {
      const folder = join(path, name);
      if (existsSync(folder)) return folder;
      mkdirSync(folder);
      symlinkSync(join("..", "node_modules"), join(folder, "node_modules"));
      // The first page of the guide tells the reader to create this file.
      writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
      return folder;
    },
    remove,
  };
}

const COMMANDS = {
  bowline: "bowline/dist/cli/main.js",
  tsc: "typescript/bin/tsc",
  tsx: "tsx/dist/cli.mjs",
};

function linkDependencies(modules: string): void {
  const installed = join(ROOT, "node_modules");
  for (const name of readdirSync(installed))
    if (!name.startsWith(".")) symlinkSync(join(installed, name), join(modules, name));
}

async function unpackPackage(modules: string): Promise<void> {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", modules];
  const { stdout } = await runCommand("npm", args, { cwd: ROOT });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await runCommand("tar", ["-xzf", filename], { cwd: modules });
  renameSync(join(modules, "package"), join(modules, "bowline"));
}
