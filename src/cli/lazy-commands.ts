/**
 * Commands by name and summary, whose files are imported when they are run: `bowline --help` reads none of them, and
 * `bowline config` loads no sandbox.
 */
import type { Command } from "commander";
import type { Session } from "./session.ts";

/** Gives a command its options, help and action. */
export type Define = (command: Command, session: Session) => void;

export interface LazyCommand {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Define>;
}

export function addCommands(
  parent: Command,
  session: Session,
  commands: readonly LazyCommand[],
): void {
  for (const { name, summary } of commands) parent.command(name).summary(summary);
  parent.hook("preSubcommand", async (_, chosen) => {
    const define = await commands.find(({ name }) => name === chosen.name())?.load();
    define?.(chosen, session);
  });
}
