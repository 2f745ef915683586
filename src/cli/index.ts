/** The command line. Only this folder prints, exits or reads environment variables. */
export { runCommandLine } from "./program.ts";
export { processTerminal, type Terminal } from "./terminal.ts";
