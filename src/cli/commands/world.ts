/** `bowline world` shows what a world contains, and checks its tasks. Each subcommand has its own file. */
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";

const WORLD_COMMANDS: readonly LazyCommand[] = [
  {
    name: "list",
    summary: "list apps, APIs, splits and signatures of tasks",
    load: async () => (await import("./world-list.ts")).defineWorldListCommand,
  },
  {
    name: "show",
    summary: "show a task with its solution and checks, or one API",
    load: async () => (await import("./world-show.ts")).defineWorldShowCommand,
  },
  {
    name: "check",
    summary: "check that tasks are sound",
    load: async () => (await import("./world-check.ts")).defineWorldCheckCommand,
  },
  {
    name: "stats",
    summary: "count what a world contains, and show a task",
    load: async () => (await import("./world-stats.ts")).defineWorldStatsCommand,
  },
];

export function defineWorldCommand(command: Command, context: CommandContext): void {
  command
    .description("Inspect a world and check its tasks.")
    .addHelpText("after", "\nExample:\n  bowline world list --world everyday/starter");
  addCommands(command, context, WORLD_COMMANDS);
}
