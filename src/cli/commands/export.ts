/** `bowline export`: a trained policy as a folder that transformers, PEFT and vLLM load. */

import { type Command, Option } from "commander";
import { lastRun } from "../../report/index.ts";
import { type ExportResult, exportPolicy } from "../../train/index.ts";
import { jsonOption, oneOf, refuseFields } from "../options.ts";
import type { Session } from "../session.ts";

interface ExportCommandOptions {
  readonly out: string;
  readonly merged?: boolean;
  readonly dtype: "f32" | "bf16";
  readonly json?: boolean;
}

/** Options, help and action. */
export function define(command: Command, session: Session): void {
  command
    .description(
      "Write a trained policy for other programs: its LoRA adapter as PEFT loads it, or with --merged the whole model as transformers and vLLM load it. Weights that are at a Tinker server are downloaded from there.",
    )
    .argument("[policy]", "a run or checkpoint directory (default: the last run in runs/)")
    .addOption(
      new Option("--out <dir>", "a folder that is not there yet").makeOptionMandatory(true),
    )
    .option("--merged", "the whole model, with the adapter merged in")
    .addOption(
      new Option("--dtype <dtype>", "f32 | bf16: float32, or rounded to bfloat16")
        .default("f32")
        .argParser(oneOf(["f32", "bf16"])),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline export runs/lora --out adapter\n  bowline export runs/lora --merged --dtype bf16 --out model",
    )
    .action(async (policy: string | undefined, options: ExportCommandOptions, command: Command) => {
      refuseFields(command, session);
      const { out } = session.terminal;
      const { out: directory, merged = false, dtype, json } = options;
      const wanted = { policy: policy ?? lastRun(), out: directory, merged, dtype };
      const result = await exportPolicy(wanted);
      if (json) {
        out.line(JSON.stringify(result));
        return;
      }
      const what = merged ? "model" : "adapter";
      out.line(`wrote the ${what} of ${result.checkpoint} to ${directory}`);
      for (const { name, sizeBytes } of result.files) {
        out.line(`  ${name}  ${size(sizeBytes)}`);
      }
      if (!merged && result.base) out.line(baseLine(result.base));
    });
}

/** An adapter is nothing without its base, so how it is named is said. */
function baseLine({ name, isHubId }: NonNullable<ExportResult["base"]>): string {
  return isHubId
    ? `its base is ${name} on the Hugging Face hub`
    : `its base is called ${name}, after the folder; set base_model_name_or_path in adapter_config.json where it lies elsewhere`;
}

function size(sizeBytes: number): string {
  const megabytes = sizeBytes / 1e6;
  return megabytes < 1 ? `${Math.ceil(megabytes * 1000)} kB` : `${megabytes.toFixed(1)} MB`;
}
