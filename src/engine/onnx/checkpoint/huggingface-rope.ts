/**
 * Rotary positions in `config.json`: transformers 4 writes `rope_theta` and `rope_scaling`, transformers 5 puts both
 * into `rope_parameters`. Known: plain positions and Llama 3's scaling; any other is refused by its name.
 */
import { z } from "zod";
import { BowlineError } from "../../../core/index.ts";
import type { ModelConfig, RopeScaling } from "../model/index.ts";

const positive = z.number().positive();

const parametersSchema = z.looseObject({
  rope_theta: positive.nullish(),
  rope_type: z.string().optional(),
  /** The name of `rope_type` before transformers 4.43. */
  type: z.string().optional(),
  /** Rotating a part of each head is of other families. */
  partial_rotary_factor: z.literal(1).nullish(),
});

export const ropeSchema = z.object({
  rope_theta: positive.nullish(),
  rope_scaling: parametersSchema.nullish(),
  rope_parameters: parametersSchema.nullish(),
  partial_rotary_factor: z.literal(1).nullish(),
});
type RopeFile = z.infer<typeof ropeSchema> & { readonly max_position_embeddings: number };

/** Numbers may stand as `8` or `8.0`; in JSON they are the same. */
const llama3Schema = z.looseObject({
  factor: positive,
  low_freq_factor: positive,
  high_freq_factor: positive,
  original_max_position_embeddings: z.number().int().positive().optional(),
});

/** `path` is only for messages. */
export function ropeOf(
  file: RopeFile,
  path: string,
): Partial<Pick<ModelConfig, "ropeTheta" | "ropeScaling">> {
  // As transformers 5 does: a `rope_scaling` that is there and not null replaces `rope_parameters`.
  const field = file.rope_scaling ? "rope_scaling" : "rope_parameters";
  const parameters = file.rope_scaling ?? file.rope_parameters ?? {};
  const theta = parameters.rope_theta ?? file.rope_theta;
  const scaling = scalingOf(parameters, file.max_position_embeddings, `${path}: ${field}`);
  return {
    ...(theta ? { ropeTheta: theta } : {}),
    ...(scaling ? { ropeScaling: scaling } : {}),
  };
}

function scalingOf(
  parameters: z.infer<typeof parametersSchema>,
  contextLength: number,
  at: string,
): RopeScaling | undefined {
  const type = parameters.rope_type ?? parameters.type ?? "default";
  if (type === "default") return undefined;
  if (type !== "llama3") {
    throw new BowlineError(
      "checkpoint",
      `${at}: rope_type ${type} is not supported; expected default or llama3`,
    );
  }
  const result = llama3Schema.safeParse(parameters);
  if (!result.success) {
    throw new BowlineError("checkpoint", `${at}: ${z.prettifyError(result.error)}`);
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

/** The inverse, in the layout of transformers 4, which 5 reads as well. */
export function ropeFields({ ropeTheta, ropeScaling }: ModelConfig): Record<string, unknown> {
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
