/** `bowline export`: a trained policy as a folder that transformers, PEFT and vLLM load, or as a file for llama.cpp. */

import { type Command, Option } from "commander";
import { findLastRun } from "../../report/index.ts";
import { ALL_DTYPES, EXPORT_FORMATS, type ExportResult, exportPolicy } from "../../train/index.ts";
import type { CommandContext } from "../command-context.ts";
import { choiceParser, jsonOption, refuseConfigFields } from "../shared-options.ts";

interface ExportCommandOptions {
  readonly out: string;
  readonly merged?: boolean;
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly dtype: (typeof ALL_DTYPES)[number];
  readonly json?: boolean;
}

/** Gives `bowline export` its description, options, help and action. */
export function defineExportCommand(command: Command, context: CommandContext): void {
  command
    .description(
      "Write a trained policy for other programs: its LoRA adapter as PEFT loads it, or with --merged the whole model as transformers and vLLM load it; or either as a GGUF file for llama.cpp. Weights that are at a Tinker server are downloaded from there.",
    )
    .argument("[policy]", "a run or checkpoint directory (default: the last run in runs/)")
    .addOption(
      new Option(
        "--out <path>",
        "a folder that is not there yet; of --format gguf a file, FILE.gguf",
      ).makeOptionMandatory(true),
    )
    .option("--merged", "the whole model, with the adapter merged in")
    .addOption(
      new Option("--format <format>", "hf | gguf: a Hugging Face folder, or a file for llama.cpp")
        .default("hf")
        .argParser(choiceParser(EXPORT_FORMATS)),
    )
    .addOption(
      new Option(
        "--dtype <dtype>",
        "how numbers are written: f32; bf16 (hf), f16 or q8_0 (gguf), which round them",
      )
        .default("f32")
        .argParser(choiceParser(ALL_DTYPES)),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  bowline export runs/lora --out adapter\n  bowline export runs/lora --merged --dtype bf16 --out model\n  bowline export runs/lora --merged --format gguf --dtype q8_0 --out model.gguf",
    )
    .action(async (policy: string | undefined, options: ExportCommandOptions, command: Command) => {
      refuseConfigFields(command, context);
      const { out } = context.terminal;
      const { out: path, merged = false, format, dtype, json } = options;
      const wanted = { policy: policy ?? findLastRun(), out: path, merged, format, dtype };
      const result = await exportPolicy(wanted);
      if (json) {
        out.writeLine(JSON.stringify(result));
        return;
      }
      const what = merged ? "model" : "adapter";
      out.writeLine(`wrote the ${what} of ${result.checkpoint} to ${path}`);
      for (const { name, sizeBytes } of result.files) {
        out.writeLine(`  ${name}  ${formatSize(sizeBytes)}`);
      }
      if (!merged && result.base) out.writeLine(describeBaseModel(result.base, format));
    });
}

/** An adapter is nothing without its base, so how it is named is said. */
function describeBaseModel(
  { name, isHubId }: NonNullable<ExportResult["base"]>,
  format: ExportCommandOptions["format"],
): string {
  if (format === "gguf") return `its base is ${name}, as a GGUF file`;
  return isHubId
    ? `its base is ${name} on the Hugging Face hub`
    : `its base is called ${name}, after its folder or file; set base_model_name_or_path in adapter_config.json where it lies elsewhere`;
}

function formatSize(sizeBytes: number): string {
  const megabytes = sizeBytes / 1e6;
  return megabytes < 1 ? `${Math.ceil(megabytes * 1000)} kB` : `${megabytes.toFixed(1)} MB`;
}
