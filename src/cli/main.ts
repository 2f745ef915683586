#!/usr/bin/env node
/** The `bowline` command. */
import { runCommandLine } from "./program.ts";
import { processTerminal } from "./terminal.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
