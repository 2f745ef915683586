/** `bowline report`: one self-contained page about a run. */

import type { Command } from "commander";
import { findLastRun, writeReport } from "../../report/index.ts";
import { jsonOption, refuseFields } from "../options.ts";
import type { Session } from "../session.ts";

/** Options, help and action. */
export function define(command: Command, session: Session): void {
  command
    .description(
      "Write report.html: learning curves, before and after, a browsable sample of rollouts.",
    )
    .argument("[run]", "a run directory (default: the last run in runs/)")
    .option("--out <file>", "where to write the page (default: <run>/report.html)")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  bowline report runs/starter-seed1 --out /tmp/report.html")
    .action(
      (run: string | undefined, options: { out?: string; json?: boolean }, command: Command) => {
        refuseFields(command, session);
        const { out } = session.terminal;
        const directory = run ?? findLastRun();
        const report = writeReport(directory, options.out);
        out.line(options.json ? JSON.stringify({ run: directory, report }) : report);
      },
    );
}
