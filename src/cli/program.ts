/**
 * The whole command line: it has all commands, and turns every error into one message and an exit code. The codes are 0
 * for done, 1 for failed, 2 for wrong usage (found before any work), 130 for stopped by Ctrl-C, and 143 for stopped by
 * SIGTERM.
 */
import { Command, CommanderError } from "commander";
import { type CommandContext, EXIT_CODES } from "./command-context.ts";
import { COMMANDS } from "./commands/index.ts";
import { separateConfigFields } from "./config-fields.ts";
import { addCommands } from "./lazy-commands.ts";
import { bowlineCommand, quoteForShell } from "./suggested-commands.ts";
import type { Terminal } from "./terminal.ts";
import { describeUsageError } from "./usage-errors.ts";
import { packageVersion } from "./version.ts";

/** Runs one command line (without `node` and the script) and returns its exit code. Never throws. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT_CODES.done;
  const setExitCode = (code: number) => {
    exitCode = code;
  };
  if (argv.length === 0) {
    terminal.out.writeLine(renderFirstScreen());
    return EXIT_CODES.done;
  }
  const { rest, fields } = separateConfigFields(argv);
  const program = createProgram({ terminal, fields, setExitCode });
  try {
    await program.parseAsync(helpCommandAsOption(rest), { from: "user" });
    return exitCode;
  } catch (error) {
    return await reportError(error, program, { argv, rest }, terminal);
  }
}

/** Says what somebody who typed only `bowline` can do first. */
function renderFirstScreen(): string {
  const command = bowlineCommand();
  const line = (words: string, purpose: string) => `  ${command} ${words.padEnd(13)} ${purpose}`;
  return [
    "Bowline trains LLM agents by reinforcement learning.",
    "",
    line("doctor", "check whether this machine has what training needs"),
    line("train smoke", "see an agent learn, in a minute or two"),
    line("init", "write a project: your own agent, a world or a scaffold"),
    line("studio", "look at every rollout of your runs in the browser"),
    line("--help", "list all commands"),
  ].join("\n");
}

/** Rewrites `help train` to `train --help`, because a command has no help before its file is imported. */
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
  bowline train smoke                see an agent learn in a minute or two
  bowline train                      train the starter recipe (about ten minutes)
  bowline init desk --agent ai-sdk   write a project around an agent of your own
  bowline config algo                explain the fields of a section
  bowline play                       solve a task yourself
  bowline eval solution              score the reference solutions
  bowline world list                 list the apps, APIs and tasks of the built-in world
  bowline bench world                measure the speed of its episodes on this machine

Every command has --help with an example, and --json.
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C, 143 by SIGTERM.`;

/** Prints an error and returns its exit code. Help and version also arrive here, because commander throws to stop. */
async function reportError(
  error: unknown,
  program: Command,
  { argv, rest }: { readonly argv: readonly string[]; readonly rest: readonly string[] },
  { err }: Terminal,
): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT_CODES.done;
    err.writeLine(await describeUsageError(error, program, rest));
    return EXIT_CODES.usage;
  }
  const { BowlineError, hideCredentials } = await import("../core/index.ts");
  if (BowlineError.is(error)) {
    err.writeLine(`${err.paint(["bold", "red"], "error:")} ${hideCredentials(error.message)}`);
    if (error.cure !== undefined) {
      const { cureArguments } = await import("./cured-command.ts");
      const cured = cureArguments(argv, error.cure);
      const isOther = cured.join(" ") !== argv.join(" ");
      if (isOther) err.writeLine(hideCredentials(`  ${bowlineCommand()} ${quoteForShell(cured)}`));
    }
    return error.code === "config" ? EXIT_CODES.usage : EXIT_CODES.failed;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  err.writeLine(`${err.paint(["bold", "red"], "bug:")} ${hideCredentials(text)}`);
  return EXIT_CODES.failed;
}
