/** What every command is handed, and what its exit codes mean. */
import type { Fields } from "./fields.ts";
import type { Terminal } from "./terminal.ts";

/** 130 is what a shell expects of a command that Ctrl-C stopped. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export interface Session {
  readonly terminal: Terminal;
  /** Config fields from the command line, `--algo.groupSize 8`. */
  readonly fields: Fields;
  /** Sets the exit code of a command that ran to its end. */
  exit(code: number): void;
}
