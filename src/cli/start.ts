/** The `bowline` command, on a Node that it runs on (main.ts looked). */
import { runCommandLine } from "./program.ts";
import { processTerminal } from "./terminal.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
