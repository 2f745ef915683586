/**
 * The files of a new project, as text. World, agent and their tests are files of this package (`templates/`), type-checked and
 * run with it; what depends on the answers is made here.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formatJson } from "../../core/index.ts";
import { hasAgent, hasWorld, type ProjectParts } from "./project-parts.ts";
import { createReadme } from "./project-readme.ts";

/** One folder above `src/` and `dist/` alike. */
export const PACKAGE_ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export interface ProjectRequest {
  /** As in package.json. */
  readonly name: string;
  readonly parts: ProjectParts;
  /** What package.json says of this package: a version range, or where it lies. */
  readonly bowline: string;
}

/** Texts by file name, in the order in which they are worth reading. */
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

/** The options that make `bowline train` and the others use what the project brings. */
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

/** A project is built with the versions that this package is built and tested with. */
function packageVersions(
  ...names: readonly string[]
): Readonly<Record<string, string | undefined>> {
  const { dependencies, devDependencies } = JSON.parse(readPackageFile("package.json")) as {
    readonly [kind: string]: Readonly<Record<string, string>>;
  };
  const all = { ...devDependencies, ...dependencies };
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

const NPMRC = `; the install script of onnxruntime-node fetches GPU extras from the network, which are not needed
ignore-scripts=true
`;

const readTemplate = (file: string) => readPackageFile(`templates/${file}`);
const readPackageFile = (path: string) => readFileSync(`${PACKAGE_ROOT}${path}`, "utf8");
