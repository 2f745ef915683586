/** The command line. Only this folder prints, exits or reads the environment. */
export { runCommandLine } from "./program.ts";
export { processTerminal, type Terminal } from "./terminal.ts";
