/** Reads files of this package: templates, and the versions of its dependencies. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of this package, which contains both `src/` and `dist/`. */
export const PACKAGE_ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Returns the versions of dependencies in this package's own package.json, with which this package is tested. */
export function packageVersions(...names: readonly string[]): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = JSON.parse(readPackageFile("package.json")) as {
    readonly [kind: string]: Readonly<Record<string, string>>;
  };
  const all = { ...devDependencies, ...dependencies };
  return Object.fromEntries(names.map((name) => [name, all[name]!]));
}

export const readTemplate = (file: string) => readPackageFile(`templates/${file}`);

export const NPMRC = `; the install script of onnxruntime-node downloads GPU files, which are not needed
ignore-scripts=true
`;

const readPackageFile = (path: string) => readFileSync(`${PACKAGE_ROOT}${path}`, "utf8");
