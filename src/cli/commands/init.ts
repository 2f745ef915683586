/** `bowline init` writes a small project that runs: a world, a scaffold, or an agent of the user's own. */
import { basename, relative, resolve } from "node:path";
import type { Command } from "commander";
import { BowlineError, didYouMean, isModulePath, toVisibleJson } from "../../core/index.ts";
import { type CommandContext, EXIT_CODES } from "../command-context.ts";
import { AGENT_KIND_NAMES } from "../init/agent-kinds.ts";
import { bowlineDependency } from "../init/bowline-dependency.ts";
import { PACKAGE_ROOT } from "../init/package-files.ts";
import { createProjectFiles } from "../init/project-files.ts";
import {
  askContent,
  hasWorld,
  type ProjectContent,
  type ProjectParts,
} from "../init/project-parts.ts";
import { writeProject } from "../init/write-project.ts";
import { jsonOption, refuseConfigFields } from "../shared-options.ts";
import { quoteForShell } from "../suggested-commands.ts";
import type { Channel } from "../terminal.ts";
import { packageVersion } from "../version.ts";

interface InitOptions {
  readonly world?: boolean;
  readonly scaffold?: boolean;
  /** The kind of the agent; true when the option has no value. */
  readonly agent?: string | true;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function defineInitCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Write a small project that runs: your own world, your own scaffold, or an agent around your own program, with tests, scripts and a README. Overwrites no file.",
    )
    .argument("[folder]", "the project's folder, made if it does not exist", ".")
    .option("--world", "write a world: apps, APIs and tasks")
    .option(
      "--scaffold",
      "write a scaffold, which turns any task into prompts for the package's agent",
    )
    .option(
      "--agent [kind]",
      `write an agent: a program of yours with tools, and what trains and deploys it; ${AGENT_KIND_NAMES.join(", ")}`,
    )
    .option(
      "--yes",
      "ask no questions; writes a world unless another part is named, and an ai-sdk agent",
    )
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
  bowline init helpdesk --world --scaffold   write both without asking
  bowline init desk --agent mcp              write an agent of the AI SDK with tools of an MCP server
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
      `folder: ${folder} is the name of a module; expected a folder, into which --world writes world.ts, --scaffold scaffold.ts and --agent agent.ts`,
    );
  }
  const content = readContent(options) ?? (await askAtTerminal(options, context));
  if (content === undefined) {
    out.writeLine("\nstopped; nothing was written");
    return context.setExitCode(EXIT_CODES.interrupted);
  }
  const directory = resolve(folder);
  const bowline = bowlineDependency(PACKAGE_ROOT, directory, packageVersion());
  const files = createProjectFiles({ name: toPackageName(directory), ...content, bowline });
  writeProject(directory, files);
  const names = [...files.keys()];
  if (options.json) out.writeLine(toVisibleJson({ folder: directory, ...content, files: names }));
  else out.writeLine(describeProject(directory, names, content, out));
}

/** Returns the content that the options name, or undefined when the user has to be asked. */
function readContent(options: InitOptions): ProjectContent | undefined {
  const { world, scaffold, agent, yes, json } = options;
  if (agent !== undefined) return readAgent(options);
  if (world && scaffold) return { parts: "both" };
  if (scaffold) return { parts: "scaffold" };
  return world || yes || json ? { parts: "world" } : undefined;
}

/** Returns an agent of the kind that `--agent` names, or undefined when the user has to be asked for the kind. */
function readAgent({ world, scaffold, agent, yes, json }: InitOptions): ProjectContent | undefined {
  if (world || scaffold) {
    throw new BowlineError(
      "config",
      `--agent: expected no --${world ? "world" : "scaffold"} beside it, because a project with an agent has its own tasks and tools; write two projects`,
    );
  }
  if (agent === true) return yes || json ? { parts: "agent", kind: "ai-sdk" } : undefined;
  if (AGENT_KIND_NAMES.includes(agent!)) return { parts: "agent", kind: agent! };
  throw new BowlineError(
    "config",
    `--agent: expected ${AGENT_KIND_NAMES.join(", ")}, got ${agent}${didYouMean(agent!, AGENT_KIND_NAMES)}; a folder comes before --agent`,
  );
}

/**
 * Asks at a terminal for what the options leave open. Elsewhere it answers "world", or "ai-sdk" for an agent. Returns
 * undefined when the user gave no answer.
 */
async function askAtTerminal(
  { agent }: InitOptions,
  { terminal }: CommandContext,
): Promise<ProjectContent | undefined> {
  const parts = agent === undefined ? undefined : "agent";
  if (terminal.in.isTTY) return askContent(terminal.in, terminal.out.stream, parts);
  return parts === undefined ? { parts: "world" } : { parts, kind: "ai-sdk" };
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
  { parts }: ProjectContent,
  { paint }: Channel,
): string {
  const folder = relative(process.cwd(), directory);
  const next = [
    ...(folder === "" ? [] : [[`cd ${quoteForShell([folder])}`]]),
    ["npm install"],
    ...listNextCommands(parts),
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

/** Lists the commands after the installation, each with its purpose. */
function listNextCommands(parts: ProjectParts): [string, string][] {
  if (parts === "agent") {
    return [
      ["npm test", "plays tasks with a teacher in place of the model"],
      ["npm run train", "takes about ten minutes on two cores"],
    ];
  }
  return [
    [
      "npm run check",
      hasWorld(parts) ? "checks the world's tasks" : "checks the toy world's tasks",
    ],
    ["npm run train", "takes a minute or two"],
  ];
}
