/** Commands whose files are imported only when the command runs, so that `bowline --help` imports none of them. */
import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";

/** Gives a command its description, options, help and action. */
export type DefineCommand = (command: Command, context: CommandContext) => void;

export interface LazyCommand {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<DefineCommand>;
}

/** Adds commands to `parent`. Each command is defined only when it is chosen. */
export function addCommands(
  parent: Command,
  context: CommandContext,
  commands: readonly LazyCommand[],
): void {
  for (const { name, summary } of commands) parent.command(name).summary(summary);
  parent.hook("preSubcommand", async (_, chosen) => {
    const define = await commands.find(({ name }) => name === chosen.name())?.load();
    define?.(chosen, context);
  });
}
