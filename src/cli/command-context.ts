/** What every command receives, and the exit codes. */
import type { ConfigFieldValues } from "./config-fields.ts";
import type { Terminal } from "./terminal.ts";

/**
 * The exit codes of the command line. A shell expects 130 of a command that Ctrl-C stopped, and 143 of one that SIGTERM
 * stopped.
 */
export const EXIT_CODES = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export interface CommandContext {
  readonly terminal: Terminal;
  /** Config fields that were given on the command line, such as `--algo.groupSize 8`. */
  readonly fields: ConfigFieldValues;
  /** Sets the exit code of a command that does not throw. The exit code is 0 if this is not called. */
  setExitCode(code: number): void;
}
