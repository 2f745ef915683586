/** `bowline init`: a small project that runs, with a world of one's own, an agent, or both. */
import { basename, relative, resolve } from "node:path";
import type { Command } from "commander";
import { BowlineError, isModulePath } from "../../core/index.ts";
import { type CommandContext, EXIT_CODES } from "../command-context.ts";
import { bowlineDependency } from "../init/bowline-dependency.ts";
import { createProjectFiles, PACKAGE_ROOT } from "../init/project-files.ts";
import { askParts, hasWorld, type ProjectParts } from "../init/project-parts.ts";
import { writeProject } from "../init/write-project.ts";
import { jsonOption, refuseConfigFields } from "../shared-options.ts";
import { quoteForShell } from "../suggested-commands.ts";
import type { Channel } from "../terminal.ts";
import { packageVersion } from "../version.ts";

interface InitOptions {
  readonly world?: boolean;
  readonly agent?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Options, help and action. */
export function defineInitCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Write a small project that runs: a world of your own or an agent of your own, with tests, scripts and a README. Overwrites nothing.",
    )
    .argument("[folder]", "where; made if it is not there", ".")
    .option("--world", "a world: apps, APIs and tasks")
    .option("--agent", "an agent: what it is shown, for any world")
    .option("--yes", "ask nothing: a world, unless an option says otherwise")
    .addOption(jsonOption())
    .addHelpText("after", EXAMPLES)
    .action((folder: string, options: InitOptions, command: Command) => {
      refuseConfigFields(command, context);
      return runInit(folder, options, context);
    });
}

const EXAMPLES = `
Examples:
  bowline init helpdesk                      asks what you bring
  bowline init helpdesk --world --agent      both, without asking
  npx bowline init helpdesk --yes            where nothing is installed yet`;

async function runInit(
  folder: string,
  options: InitOptions,
  context: CommandContext,
): Promise<void> {
  const { out } = context.terminal;
  if (isModulePath(basename(folder))) {
    throw new BowlineError(
      "config",
      `folder: ${folder} is the name of a module; expected a folder, in which --world writes world.ts and --agent agent.ts`,
    );
  }
  const parts = partsFromOptions(options) ?? (await askAtTerminal(context));
  if (parts === undefined) {
    out.writeLine("\nstopped; nothing was written");
    return context.setExitCode(EXIT_CODES.interrupted);
  }
  const directory = resolve(folder);
  const bowline = bowlineDependency(PACKAGE_ROOT, directory, packageVersion());
  const files = createProjectFiles({ name: toPackageName(directory), parts, bowline });
  writeProject(directory, files);
  const names = [...files.keys()];
  if (options.json) out.writeLine(JSON.stringify({ folder: directory, parts, files: names }));
  else out.writeLine(describeProject(directory, names, parts, out));
}

function partsFromOptions({ world, agent, yes, json }: InitOptions): ProjectParts | undefined {
  if (world && agent) return "both";
  if (agent) return "agent";
  return world || yes || json ? "world" : undefined;
}

/** Whoever is not at a terminal cannot be asked. */
async function askAtTerminal({ terminal }: CommandContext): Promise<ProjectParts | undefined> {
  return terminal.in.isTTY ? askParts(terminal.in, terminal.out.stream) : "world";
}

/** A folder's name as npm takes it. */
function toPackageName(directory: string): string {
  const name = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|-+$/g, "");
  // npm refuses a package that depends on one of its own name.
  return /^(bowline|tsx|typescript)?$/.test(name) ? `${name || "my"}-project` : name;
}

function describeProject(
  directory: string,
  files: readonly string[],
  parts: ProjectParts,
  { paint }: Channel,
): string {
  const folder = relative(process.cwd(), directory);
  const next = [
    ...(folder === "" ? [] : [[`cd ${quoteForShell([folder])}`]]),
    ["npm install"],
    [
      "npm run check",
      hasWorld(parts) ? "proves the world's tasks" : "proves the toy world's tasks",
    ],
    ["npm run train", "a minute or two"],
  ];
  const width = Math.max(...next.map(([command = ""]) => command.length));
  return [
    `${paint("bold", folder || ".")}  ${paint("dim", files.join(" "))}`,
    "",
    `  ${paint("bold", "Next")}`,
    ...next.map(([command = "", why]) =>
      why
        ? `    ${paint("cyan", command.padEnd(width))}   ${paint("dim", why)}`
        : `    ${paint("cyan", command)}`,
    ),
  ].join("\n");
}
