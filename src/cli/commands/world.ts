/** `bowline world`: looking into a world, and proving that its tasks mean what they say. One file a subcommand. */
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";

const WORLD_COMMANDS: readonly LazyCommand[] = [
  {
    name: "list",
    summary: "apps, APIs, splits, signatures",
    load: async () => (await import("./world-list.ts")).defineWorldListCommand,
  },
  {
    name: "show",
    summary: "a task with its solution and checks, or one API",
    load: async () => (await import("./world-show.ts")).defineWorldShowCommand,
  },
  {
    name: "check",
    summary: "prove that tasks are sound",
    load: async () => (await import("./world-check.ts")).defineWorldCheckCommand,
  },
  {
    name: "stats",
    summary: "how large a world is, and an example task",
    load: async () => (await import("./world-stats.ts")).defineWorldStatsCommand,
  },
];

/** Gives `bowline world` its description, help and subcommands. */
export function defineWorldCommand(command: Command, context: CommandContext): void {
  command
    .description("Look into a world.")
    .addHelpText("after", "\nExample:\n  bowline world list --world everyday/starter");
  addCommands(command, context, WORLD_COMMANDS);
}
