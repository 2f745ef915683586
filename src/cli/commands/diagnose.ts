/** `bowline diagnose` says why a run learns slowly or cannot learn, from its measurements. */

import type { Command } from "commander";
import type { Finding } from "../../algo/index.ts";
import { toVisibleJson } from "../../core/index.ts";
import { findLastRun, requireRun } from "../../report/index.ts";
import { diagnoseRun } from "../../train/index.ts";
import { type CommandContext, EXIT_CODES } from "../command-context.ts";
import { wrapText } from "../render/text.ts";
import { jsonOption, refuseConfigFields } from "../shared-options.ts";

export function defineDiagnoseCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Say why a run learns slowly or cannot learn, and what usually cures it. Only measurements of the run are read: its metrics and rollouts.",
    )
    .argument("[run]", "a run directory (default: the last run in runs/)")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  bowline diagnose runs/starter-seed1")
    .action((run: string | undefined, options: { json?: boolean }, command: Command) => {
      refuseConfigFields(command, context);
      const { out } = context.terminal;
      const directory = run ?? findLastRun();
      requireRun(directory);
      const findings = diagnoseRun(directory);
      if (options.json) out.writeLine(toVisibleJson({ run: directory, findings }));
      else for (const line of renderFindings(findings, out.columns)) out.writeLine(line);
      if (findings.some(({ severity }) => severity === "stop")) {
        context.setExitCode(EXIT_CODES.failed);
      }
    });
}

function renderFindings(findings: readonly Finding[], width: number): string[] {
  if (findings.length === 0) return ["Nothing found: the run learns, or has learned."];
  return findings.flatMap(({ id, severity, seen, cure, options }) => [
    `${id}  (${severity === "stop" ? "nothing can be learned" : "note"})`,
    ...wrapText(`  Seen: ${seen}.`, width),
    ...wrapText(`  Usual cure: ${cure}.`, width),
    ...(options === undefined
      ? []
      : [`  Try: the same command with ${options} --out ANOTHER-FOLDER`]),
  ]);
}
