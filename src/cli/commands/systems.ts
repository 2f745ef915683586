/** `bowline systems`: the systems of the field as methods and fields. One file a subcommand. */
import type { Command } from "commander";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";
import type { Session } from "../session.ts";

const COMMANDS: readonly LazyCommand[] = [
  {
    name: "check",
    summary: "train each for three iterations, and see whether its mechanisms fire",
    load: async () => (await import("./systems-check.ts")).define,
  },
];

/** The subcommands. */
export function define(command: Command, session: Session): void {
  command
    .description("Systems of the field as methods and fields: docs/algorithms/systems.md.")
    .addHelpText("after", "\nExample:\n  bowline systems check LINVIT SPEAR");
  addCommands(command, session, COMMANDS);
}
