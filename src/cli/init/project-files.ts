/**
 * The files of a new project, as text. World, scaffold, agent and their tests are copied from `templates/`, which is
 * type-checked and run with this package. Files that depend on the project's parts are written here.
 */
import { formatJson } from "../../core/index.ts";
import { createAgentFiles } from "./agent-project.ts";
import { NPMRC, packageVersions, readTemplate } from "./package-files.ts";
import { hasScaffold, hasWorld, type ProjectContent, type ProjectParts } from "./project-parts.ts";
import { createReadme } from "./project-readme.ts";

export interface ProjectRequest extends ProjectContent {
  /** The name for package.json. */
  readonly name: string;
  /** The dependency on this package in package.json: a version range or an address. */
  readonly bowline: string;
}

/** Returns the text of each file by the file's name, in a sensible reading order. */
export function createProjectFiles(request: ProjectRequest): ReadonlyMap<string, string> {
  const { name, parts, kind } = request;
  if (kind !== undefined) return createAgentFiles(name, kind, request.bowline);
  const modules = [
    ...(hasWorld(parts) ? ["world.ts", "world.test.ts"] : []),
    ...(hasScaffold(parts) ? ["scaffold.ts", "scaffold.test.ts"] : []),
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

/** Returns the options by which `bowline train` and other commands use the project's world and scaffold. */
export function optionsForParts(parts: ProjectParts): {
  readonly world: string;
  readonly train: string;
} {
  const world = `--world ${hasWorld(parts) ? "./world.ts" : "toy"}`;
  const scaffold = hasScaffold(parts) ? ["--scaffold ./scaffold.ts"] : [];
  return { world, train: [world, ...scaffold].join(" ") };
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
