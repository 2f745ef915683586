/**
 * Reads and writes rotary positions in `config.json`. transformers 4 writes `rope_theta` and `rope_scaling`;
 * transformers 5 puts both into `rope_parameters`. Plain positions and Llama 3's scaling are supported; any other
 * scaling is rejected by its name.
 */
import { z } from "zod";
import {
  BowlineError,
  type ComputedFields,
  errorMessage,
  formatValue,
} from "../../../core/index.ts";
import type { ModelConfig, RopeScaling } from "../model/index.ts";
import type { ConfigFile, ropeFormat } from "./huggingface-format.ts";

const positiveNumber = z.number().positive();

type RopeFile = Pick<
  ConfigFile,
  "rope_theta" | "rope_scaling" | "rope_parameters" | "max_position_embeddings"
>;
type RopeParameters = ComputedFields<(typeof ropeFormat)["fields"]>;

/** Numbers may be written as `8` or `8.0`, which are the same in JSON. */
const llama3Schema = z.looseObject({
  factor: positiveNumber,
  low_freq_factor: positiveNumber,
  high_freq_factor: positiveNumber,
  original_max_position_embeddings: z.number().int().positive().nullish(),
});

/** Reads the rotary fields of a config file. `path` is for error messages. */
export function readRopeConfig(
  file: RopeFile,
  path: string,
): Partial<Pick<ModelConfig, "ropeTheta" | "ropeScaling">> {
  // As in transformers 5, a `rope_scaling` with any field in it replaces `rope_parameters`.
  const isEmpty = Object.keys(file.rope_scaling ?? {}).length === 0;
  const field = isEmpty ? "rope_parameters" : "rope_scaling";
  const parameters = file[field] ?? {};
  const theta = parameters.rope_theta ?? file.rope_theta;
  const scaling = readRopeScaling(parameters, file.max_position_embeddings, `${path}: ${field}`);
  return {
    ...(theta ? { ropeTheta: theta } : {}),
    ...(scaling ? { ropeScaling: scaling } : {}),
  };
}

function readRopeScaling(
  parameters: RopeParameters,
  contextLength: number,
  at: string,
): RopeScaling | undefined {
  const type = parameters.rope_type ?? parameters.type ?? "default";
  if (type === "default") return undefined;
  if (type !== "llama3") {
    throw new BowlineError(
      "checkpoint",
      `${at}: rope_type ${formatValue(type)} is not supported; expected default or llama3`,
    );
  }
  const result = llama3Schema.safeParse(parameters);
  if (!result.success) {
    throw new BowlineError("checkpoint", `${at}: ${errorMessage(result.error)}`);
  }
  const fields = result.data;
  if (fields.high_freq_factor <= fields.low_freq_factor) {
    throw new BowlineError(
      "checkpoint",
      `${at}: high_freq_factor must be more than low_freq_factor (${fields.low_freq_factor}), but it is ${fields.high_freq_factor}`,
    );
  }
  return {
    factor: fields.factor,
    lowFrequencyFactor: fields.low_freq_factor,
    highFrequencyFactor: fields.high_freq_factor,
    originalContextLength: fields.original_max_position_embeddings ?? contextLength,
  };
}

/** Returns the rotary fields of `config.json` in the layout of transformers 4, which transformers 5 also reads. */
export function ropeConfigFields({ ropeTheta, ropeScaling }: ModelConfig): Record<string, unknown> {
  if (ropeScaling === undefined) return { rope_theta: ropeTheta };
  return {
    rope_theta: ropeTheta,
    rope_scaling: {
      rope_type: "llama3",
      factor: ropeScaling.factor,
      low_freq_factor: ropeScaling.lowFrequencyFactor,
      high_freq_factor: ropeScaling.highFrequencyFactor,
      original_max_position_embeddings: ropeScaling.originalContextLength,
    },
  };
}
