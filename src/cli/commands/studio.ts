/** `bowline studio` serves the web page about runs, until Ctrl-C. */

import { setFlagsFromString } from "node:v8";
import type { Command } from "commander";
import { toVisibleJson } from "../../core/index.ts";
import { openStudio, type Studio } from "../../server/studio/index.ts";
import type { CommandContext } from "../command-context.ts";
import { listenForInterrupt, waitForAbort } from "../interrupt.ts";
import { integerParser, jsonOption, refuseConfigFields } from "../shared-options.ts";
import { RUNS_FOLDER } from "../studio-folder.ts";

interface StudioCommandOptions {
  readonly port: number;
  readonly json?: boolean;
}

export function defineStudioCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Serve a web page about runs to this machine's browser, until Ctrl-C. It shows runs while they train, every rollout token by token, and worlds; and it can continue a rollout from any turn, by hand or by the policy.",
    )
    .argument("[runs]", "a folder of runs, or one run", RUNS_FOLDER)
    .option("--port <port>", "port to listen on, 0 for any free port", integerParser(0, 65_535), 0)
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
 * With this flag, V8 compiles WebAssembly, on which sandboxes run, only with its fast baseline compiler. The optimizing
 * compiler needs 30 MB. It pays off over the millions of cells of a training run, but not over the few cells that the
 * studio runs.
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
    await using studio = await openStudio({
      root,
      port: options.port,
      bowline: currentCommandWords(),
    });
    const { url, port, token } = studio;
    if (options.json) out.writeLine(toVisibleJson({ url, port, token }));
    else out.writeLine(`the studio on ${root}: ${url}\npress Ctrl-C to stop it`);
    await waitForAbort(interrupt.signal);
    const channel = options.json ? err : out;
    for (const run of studio.training()) channel.writeLine(describeContinuingRun(run));
    if (!options.json) out.writeLine("the studio has stopped");
  } finally {
    interrupt.dispose();
  }
}

/** Returns the words of the command that starts this program. The studio starts runs with them. */
function currentCommandWords(): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ""];
}

/** Returns the line about a run that the studio started and that continues after the studio has stopped. */
function describeContinuingRun({ run, pid }: ReturnType<Studio["training"]>[number]): string {
  return `${run} is still training; to stop it: kill -INT ${pid}`;
}
