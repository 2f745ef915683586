/**
 * The command line as a whole: which commands there are, and how anything that goes wrong becomes one message and an
 * exit code. 0: done. 1: failed. 2: wrong usage, found before any work. 130: stopped by Ctrl-C.
 */
import { Command, CommanderError } from "commander";
import { type CommandContext, EXIT_CODES } from "./command-context.ts";
import { COMMANDS } from "./commands/index.ts";
import { separateConfigFields } from "./config-fields.ts";
import { addCommands } from "./lazy-commands.ts";
import type { Terminal } from "./terminal.ts";
import { describeUsageError } from "./usage-errors.ts";
import { packageVersion } from "./version.ts";

/** Runs one command line (without `node` and the script) and returns its exit code. Never throws. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = EXIT_CODES.done;
  const exit = (value: number) => {
    code = value;
  };
  const { rest, fields } = separateConfigFields(argv);
  const program = createProgram({ terminal, fields, setExitCode: exit });
  try {
    await program.parseAsync(helpCommandAsOption(rest), { from: "user" });
    return code;
  } catch (error) {
    return await reportError(error, program, rest, terminal);
  }
}

/** `help train` is `train --help`: a command has no help before it is imported. */
function helpCommandAsOption([first, ...rest]: readonly string[]): string[] {
  if (first !== "help" || rest.length === 0) return first === undefined ? [] : [first, ...rest];
  return [...rest, "--help"];
}

function createProgram(context: CommandContext): Command {
  const { out } = context.terminal;
  const program = new Command("bowline")
    .description(
      "Train LLM agents by reinforcement learning in the stateful API worlds where they act.",
    )
    .version(packageVersion(), "-v, --version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.writeLine(text.trimEnd()),
      writeErr: () => {},
      outputError: () => {},
    })
    .configureHelp({
      helpWidth: Math.min(out.columns, 100),
      subcommandTerm: (command) => command.name(),
    })
    .showHelpAfterError(false)
    .addHelpText("after", EXAMPLES);
  addCommands(program, context, COMMANDS);
  return program;
}

const EXAMPLES = `
Examples:
  bowline train                      train the starter recipe (about ten minutes), show before and after
  bowline train smoke --method ei    any setting with any method
  bowline config algo                what the fields of a section mean
  bowline play                       solve a task yourself
  bowline eval solution              score the reference solutions
  bowline world list                 the apps, APIs and tasks of the built-in world
  bowline bench world                what its episodes cost on this machine

Every command has --help with an example, and --json.
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C.`;

async function reportError(
  error: unknown,
  program: Command,
  rest: readonly string[],
  { err }: Terminal,
): Promise<number> {
  if (error instanceof CommanderError) {
    // Help and version end a command without being errors.
    if (error.exitCode === 0) return EXIT_CODES.done;
    err.writeLine(await describeUsageError(error, program, rest));
    return EXIT_CODES.usage;
  }
  const { BowlineError } = await import("../core/index.ts");
  if (BowlineError.is(error)) {
    err.writeLine(`${err.paint(["bold", "red"], "error:")} ${error.message}`);
    return error.code === "config" ? EXIT_CODES.usage : EXIT_CODES.failed;
  }
  err.writeLine(
    `${err.paint(["bold", "red"], "bug:")} ${error instanceof Error ? error.stack : String(error)}`,
  );
  return EXIT_CODES.failed;
}
