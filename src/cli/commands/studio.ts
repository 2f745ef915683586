/** `bowline studio`: the page on runs, until Ctrl-C. */
import { setFlagsFromString } from "node:v8";
import type { Command } from "commander";
import { openStudio, type Studio } from "../../server/studio/index.ts";
import type { CommandContext } from "../command-context.ts";
import { listenForInterrupt, waitForAbort } from "../interrupt.ts";
import { integerParser, jsonOption, refuseConfigFields } from "../shared-options.ts";
import { RUNS_FOLDER } from "../studio-folder.ts";

interface StudioCommandOptions {
  readonly port: number;
  readonly json?: boolean;
}

/** Gives `bowline studio` its description, options, help and action. */
export function defineStudioCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Serve a page on runs to this machine's browser until Ctrl-C: runs as they learn, every rollout token by token, worlds to look into, and any turn to go on from by hand or by the policy.",
    )
    .argument("[runs]", "a folder of runs, or one run", RUNS_FOLDER)
    .option("--port <port>", "0: any that is free", integerParser(0, 65_535), 0)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline studio\n  bowline studio runs/starter-seed1 --port 8200",
    )
    .action(async (root: string, options: StudioCommandOptions, command: Command) => {
      refuseConfigFields(command, context);
      await serveStudio(root, options, context);
    });
}

/**
 * WebAssembly, of which sandboxes are made, is then compiled once and fast. The optimizing compiler works in thirty megabytes,
 * and pays where millions of cells are run, as in training; the few that a person looks at end sooner without it.
 */
const BASELINE_COMPILER_FLAG = "--liftoff-only";

async function serveStudio(
  root: string,
  options: StudioCommandOptions,
  context: CommandContext,
): Promise<void> {
  const { out, err } = context.terminal;
  setFlagsFromString(BASELINE_COMPILER_FLAG);
  const interrupt = listenForInterrupt(options.json ? err : out);
  try {
    await using studio = await openStudio({ root, port: options.port, bowline: currentCommand() });
    const { url, port, token } = studio;
    if (options.json) out.writeLine(JSON.stringify({ url, port, token }));
    else out.writeLine(`the studio on ${root}: ${url}\nCtrl-C ends it`);
    await waitForAbort(interrupt.signal);
    const channel = options.json ? err : out;
    for (const going of studio.training()) channel.writeLine(describeContinuingRun(going));
    if (!options.json) out.writeLine("the studio has ended");
  } finally {
    interrupt.dispose();
  }
}

/** This very command, for the processes of runs. */
function currentCommand(): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ""];
}

/** A run is worth more than the page that started it: it is not ended with it. */
function describeContinuingRun({ run, pid }: ReturnType<Studio["training"]>[number]): string {
  return `${run} goes on training; stop it with: kill -INT ${pid}`;
}
