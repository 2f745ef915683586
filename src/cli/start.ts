/** Runs the `bowline` command after main.ts has checked the version of Node. */
import { runCommandLine } from "./program.ts";
import { processTerminal } from "./terminal.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
