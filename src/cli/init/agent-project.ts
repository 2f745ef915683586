/** The files of a project with an agent of the user's own (`bowline init --agent KIND`), as text. */
import { formatJson } from "../../core/index.ts";
import { AGENT_KINDS, type AgentKind, SHARED_TEMPLATES } from "./agent-kinds.ts";
import { createAgentReadme } from "./agent-readme.ts";
import { NPMRC, packageVersions, readTemplate } from "./package-files.ts";

/** The scripts of the project. The README explains each of them. */
const SCRIPTS = {
  test: "tsc && node --import tsx --test agent.test.ts",
  train: "tsx train.ts",
  eval: "tsx eval.ts",
  report: "bowline report runs/agent",
  serve: "bowline serve --openai runs/agent --port 8127 --key-from AGENT_KEY",
  start: "tsx app.ts",
} as const;

/** Returns the text of each file by the file's name, in a sensible reading order. */
export function createAgentFiles(
  name: string,
  kindName: string,
  bowline: string,
): ReadonlyMap<string, string> {
  const kind = AGENT_KINDS[kindName]!;
  const manifest = {
    name,
    private: true,
    type: "module",
    scripts: SCRIPTS,
    // `tsx` runs the application, so a deployment needs it too.
    dependencies: { bowline, ...kind.dependencies, ...packageVersions("tsx") },
    devDependencies: packageVersions("@types/node", "typescript"),
  };
  return new Map([
    ["README.md", createAgentReadme(name, kind)],
    ...listTemplates(kind).map(
      ([file, template]) => [file, readTemplate(`agent/${template}`)] as const,
    ),
    ["tsconfig.json", readTemplate("tsconfig.json")],
    ["package.json", formatJson(manifest)],
    [".npmrc", NPMRC],
    [".gitignore", "node_modules/\nruns/\nlogs/\n"],
    [".dockerignore", readTemplate("agent/dockerignore")],
  ]);
}

/** Lists the files that come from templates: those of the kind first, because they are the user's own part. */
function listTemplates({ templates }: AgentKind): readonly (readonly [string, string])[] {
  return [
    ...Object.entries(templates).sort(([a], [b]) => a.localeCompare(b)),
    ...SHARED_TEMPLATES.map((file) => [file, file] as const),
  ];
}
