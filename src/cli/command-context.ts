/** What every command is handed, and what its exit codes mean. */
import type { ConfigFieldValues } from "./config-fields.ts";
import type { Terminal } from "./terminal.ts";

/** 130 is what a shell expects of a command that Ctrl-C stopped. */
export const EXIT_CODES = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export interface CommandContext {
  readonly terminal: Terminal;
  /** Config fields from the command line, `--algo.groupSize 8`. */
  readonly fields: ConfigFieldValues;
  /** Sets the exit code of a command that ran to its end. */
  setExitCode(code: number): void;
}
