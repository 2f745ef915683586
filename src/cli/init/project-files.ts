/**
 * The files of a new project, as text. World, agent and their tests are copied from `templates/`, which is type-checked
 * and run with this package. Files that depend on the project's parts are written here.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formatJson } from "../../core/index.ts";
import { hasAgent, hasWorld, type ProjectParts } from "./project-parts.ts";
import { createReadme } from "./project-readme.ts";

/** The folder of this package, which contains both `src/` and `dist/`. */
export const PACKAGE_ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export interface ProjectRequest {
  /** The name for package.json. */
  readonly name: string;
  readonly parts: ProjectParts;
  /** The dependency on this package in package.json: a version range or an address. */
  readonly bowline: string;
}

/** Returns the text of each file by the file's name, in a sensible reading order. */
export function createProjectFiles(request: ProjectRequest): ReadonlyMap<string, string> {
  const { name, parts } = request;
  const modules = [
    ...(hasWorld(parts) ? ["world.ts", "world.test.ts"] : []),
    ...(hasAgent(parts) ? ["agent.ts", "agent.test.ts"] : []),
  ];
  const tests = modules.filter((file) => file.endsWith(".test.ts"));
  const manifest = createManifest(request, tests);
  return new Map([
    ["README.md", createReadme(name, parts)],
    ...[...modules, "tsconfig.json"].map((file) => [file, readTemplate(file)] as const),
    ["package.json", formatJson(manifest)],
    [".npmrc", NPMRC],
    [".gitignore", "node_modules/\nruns/\n"],
  ]);
}

/** Returns the options by which `bowline train` and other commands use the project's world and agent. */
export function optionsForParts(parts: ProjectParts): {
  readonly world: string;
  readonly train: string;
} {
  const world = `--world ${hasWorld(parts) ? "./world.ts" : "toy"}`;
  const agent = hasAgent(parts) ? ["--scaffold ./agent.ts"] : [];
  return { world, train: [world, ...agent].join(" ") };
}

function createManifest({ name, parts, bowline }: ProjectRequest, tests: readonly string[]) {
  const { world, train } = optionsForParts(parts);
  return {
    name,
    private: true,
    type: "module",
    scripts: {
      check: `bowline world check ${world} --split all`,
      train: `bowline train smoke ${train}`,
      eval: "bowline eval",
      report: "bowline report",
      test: `tsc && node --import tsx --test ${tests.join(" ")}`,
    },
    dependencies: { bowline },
    devDependencies: packageVersions("@types/node", "tsx", "typescript"),
  };
}

/** Returns the versions of dependencies in this package's own package.json, with which this package is tested. */
function packageVersions(
  ...names: readonly string[]
): Readonly<Record<string, string | undefined>> {
  const { dependencies, devDependencies } = JSON.parse(readPackageFile("package.json")) as {
    readonly [kind: string]: Readonly<Record<string, string>>;
  };
  const all = { ...devDependencies, ...dependencies };
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

const NPMRC = `; the install script of onnxruntime-node downloads GPU files, which are not needed
ignore-scripts=true
`;

const readTemplate = (file: string) => readPackageFile(`templates/${file}`);
const readPackageFile = (path: string) => readFileSync(`${PACKAGE_ROOT}${path}`, "utf8");
