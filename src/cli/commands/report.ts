/** `bowline report` writes one self-contained page about a run. */

import type { Command } from "commander";
import { toVisibleJson } from "../../core/index.ts";
import { describeSlowestStage, findLastRun, readRun } from "../../report/index.ts";
import { writeReport } from "../../server/index.ts";
import type { CommandContext } from "../command-context.ts";
import { jsonOption, refuseConfigFields } from "../shared-options.ts";

export function defineReportCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Write report.html with learning curves, scores before and after, and a sample of rollouts. Also says what held the run back: the model, the world or the machine that steers it.",
    )
    .argument("[run]", "a run directory (default: the last run in runs/)")
    .option("--out <file>", "file for the page (default: <run>/report.html)")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  bowline report runs/starter-seed1 --out /tmp/report.html")
    .action(
      async (
        run: string | undefined,
        options: { out?: string; json?: boolean },
        command: Command,
      ) => {
        refuseConfigFields(command, context);
        const { out, err } = context.terminal;
        const directory = run ?? findLastRun();
        const report = await writeReport(directory, options.out);
        const slowest = describeSlowestStage(readRun(directory).timings);
        out.writeLine(options.json ? toVisibleJson({ run: directory, report, slowest }) : report);
        if (slowest !== undefined && !options.json) err.writeLine(slowest);
      },
    );
}
