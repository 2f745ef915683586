/** `bowline export`: a trained policy as a folder that transformers, PEFT and vLLM load. */

import { type Command, Option } from "commander";
import { lastRun } from "../../report/index.ts";
import { exportPolicy } from "../../train/index.ts";
import { jsonOption, refuseFields } from "../options.ts";
import type { Session } from "../session.ts";

interface ExportCommandOptions {
  readonly out: string;
  readonly merged?: boolean;
  readonly json?: boolean;
}

/** Options, help and action. */
export function define(command: Command, session: Session): void {
  command
    .description(
      "Write a trained policy for other programs: its LoRA adapter as PEFT loads it, or with --merged the whole model as transformers and vLLM load it.",
    )
    .argument("[policy]", "a run or checkpoint directory (default: the last run in runs/)")
    .addOption(
      new Option("--out <dir>", "a folder that is not there yet").makeOptionMandatory(true),
    )
    .option("--merged", "the whole model in float32, with the adapter merged in")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline export runs/lora --out adapter\n  bowline export runs/lora --merged --out model",
    )
    .action(async (policy: string | undefined, options: ExportCommandOptions, command: Command) => {
      refuseFields(command, session);
      const { out } = session.terminal;
      const { out: directory, merged = false, json } = options;
      const result = await exportPolicy({ policy: policy ?? lastRun(), out: directory, merged });
      if (json) {
        out.line(JSON.stringify(result));
        return;
      }
      const what = merged ? "model" : "adapter";
      out.line(`wrote the ${what} of ${result.checkpoint} to ${directory}`);
      for (const { name, sizeBytes } of result.files) {
        out.line(`  ${name}  ${size(sizeBytes)}`);
      }
    });
}

function size(sizeBytes: number): string {
  const megabytes = sizeBytes / 1e6;
  return megabytes < 1 ? `${Math.ceil(megabytes * 1000)} kB` : `${megabytes.toFixed(1)} MB`;
}
