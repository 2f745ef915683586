/** `bowline init` writes a small project that runs: a world of the user's own, an agent, or both. */
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

export function defineInitCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Write a small project that runs: your own world, your own agent, or both, with tests, scripts and a README. Overwrites no file.",
    )
    .argument("[folder]", "the project's folder, made if it does not exist", ".")
    .option("--world", "write a world: apps, APIs and tasks")
    .option("--agent", "write an agent, which turns any task into prompts")
    .option("--yes", "ask no questions; writes a world unless --agent is given")
    .addOption(jsonOption())
    .addHelpText("after", EXAMPLES)
    .action((folder: string, options: InitOptions, command: Command) => {
      refuseConfigFields(command, context);
      return runInit(folder, options, context);
    });
}

const EXAMPLES = `
Examples:
  bowline init helpdesk                      ask for the parts, then write them
  bowline init helpdesk --world --agent      write both without asking
  npx bowline init helpdesk --yes            write a world where nothing is installed yet`;

async function runInit(
  folder: string,
  options: InitOptions,
  context: CommandContext,
): Promise<void> {
  const { out } = context.terminal;
  if (isModulePath(basename(folder))) {
    throw new BowlineError(
      "config",
      `folder: ${folder} is the name of a module; expected a folder, into which --world writes world.ts and --agent agent.ts`,
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

/** Returns the parts that the options name, or undefined when the user has to be asked. */
function partsFromOptions({ world, agent, yes, json }: InitOptions): ProjectParts | undefined {
  if (world && agent) return "both";
  if (agent) return "agent";
  return world || yes || json ? "world" : undefined;
}

/** Asks for the parts at a terminal, and otherwise answers "world". Returns undefined when the user gave no answer. */
async function askAtTerminal({ terminal }: CommandContext): Promise<ProjectParts | undefined> {
  return terminal.in.isTTY ? askParts(terminal.in, terminal.out.stream) : "world";
}

/** Converts a folder's name to a name that npm accepts for a package. */
function toPackageName(directory: string): string {
  const name = basename(directory)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|-+$/g, "");
  // npm refuses a package that depends on a package of the same name.
  return /^(bowline|tsx|typescript)?$/.test(name) ? `${name || "my"}-project` : name;
}

/** Returns the text about a project that was written: its files and the next commands. */
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
      hasWorld(parts) ? "checks the world's tasks" : "checks the toy world's tasks",
    ],
    ["npm run train", "takes a minute or two"],
  ];
  const width = Math.max(...next.map(([command = ""]) => command.length));
  return [
    `${paint("bold", folder || ".")}  ${paint("dim", files.join(" "))}`,
    "",
    `  ${paint("bold", "Next")}`,
    ...next.map(([command = "", purpose]) =>
      purpose
        ? `    ${paint("cyan", command.padEnd(width))}   ${paint("dim", purpose)}`
        : `    ${paint("cyan", command)}`,
    ),
  ].join("\n");
}
