/**
 * Reads `generation_config.json`, in which the authors of a model say how to sample. Our engines apply the stop ids and
 * the temperature. All other fields that would change the sampling are listed in `ignored`, so that a caller can report
 * them.
 */
import { z } from "zod";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { ModelFiles } from "./model-files.ts";

/** How a model is sampled by default. */
export interface GenerationDefaults {
  /** The ids that end a turn. The list is empty if no file names one. */
  readonly stopIds: readonly number[];
  /** The temperature; 0 if the file asks for greedy sampling, and absent without a file. */
  readonly temperature?: number;
  /** Fields of the file that the engine does not apply, such as "top_p 0.8". */
  readonly ignored: readonly string[];
}

const id = z.number().int().nonnegative();
const stopSchema = z.union([id, z.array(id)]).nullish();
const fileSchema = z.looseObject({
  eos_token_id: stopSchema,
  do_sample: z.boolean().nullish(),
  temperature: z.number().nonnegative().nullish(),
});

const FILE = "generation_config.json";
/** Fields that are applied, or that do not change which tokens are sampled. */
const FIELDS_WITHOUT_EFFECT = new Set([
  "eos_token_id",
  "do_sample",
  "temperature",
  "bos_token_id",
  "pad_token_id",
  "decoder_start_token_id",
  "transformers_version",
  "_from_model_config",
  "use_cache",
  "cache_implementation",
  "cache_config",
  "return_dict_in_generate",
  "output_attentions",
  "output_hidden_states",
  "output_scores",
  "output_logits",
]);
/** Values that switch a field off. `null`, `false` and an empty list switch off any field. */
const OFF_VALUES: Readonly<Record<string, number>> = {
  top_p: 1,
  top_k: 0,
  typical_p: 1,
  min_p: 0,
  epsilon_cutoff: 0,
  eta_cutoff: 0,
  repetition_penalty: 1,
  encoder_repetition_penalty: 1,
  no_repeat_ngram_size: 0,
  encoder_no_repeat_ngram_size: 0,
  length_penalty: 1,
  diversity_penalty: 0,
  num_beams: 1,
  num_beam_groups: 1,
  num_return_sequences: 1,
  min_length: 0,
};
/** Fields that have an effect only on sampling, not on greedy decoding. */
const SAMPLING_FIELDS = new Set([
  "top_p",
  "top_k",
  "typical_p",
  "min_p",
  "epsilon_cutoff",
  "eta_cutoff",
]);

/**
 * Reads the sampling defaults of a model. `fallbackStopIds` are the stop ids of `config.json` and of the tokenizer, in
 * this order, for models without the file or the field. Throws a `checkpoint` error if the file is malformed or an id
 * is not in the vocabulary.
 */
export function readGenerationConfig(
  files: ModelFiles,
  vocabularySize: number,
  fallbackStopIds: readonly unknown[],
): GenerationDefaults {
  const path = files.displayPath(FILE);
  const text = files.read(FILE);
  const file = text === undefined ? undefined : parseGenerationConfig(text, path);
  const stops = [
    file?.eos_token_id,
    ...fallbackStopIds.map((value) => stopSchema.safeParse(value).data),
  ];
  const stopIds = [stops.find((value) => value !== undefined && value !== null) ?? []].flat();
  const unknownStopId = stopIds.find((stop) => stop >= vocabularySize);
  if (unknownStopId !== undefined) {
    throw new BowlineError(
      "checkpoint",
      `${path}: eos_token_id ${unknownStopId} is not below the model's vocabulary of ${vocabularySize}`,
    );
  }
  if (file === undefined) return { stopIds, ignored: [] };
  const temperature = file.do_sample ? (file.temperature ?? 1) : 0;
  const ignored = Object.entries(file).filter(([name, value]) => {
    if (FIELDS_WITHOUT_EFFECT.has(name) || isSwitchedOff(name, value)) return false;
    return temperature > 0 || !SAMPLING_FIELDS.has(name);
  });
  return {
    stopIds,
    temperature,
    ignored: ignored.map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  };
}

function isSwitchedOff(name: string, value: unknown): boolean {
  if (value === null || value === false || value === OFF_VALUES[name]) return true;
  return Array.isArray(value) && value.length === 0;
}

function parseGenerationConfig(text: string, path: string): z.infer<typeof fileSchema> {
  try {
    const result = fileSchema.safeParse(JSON.parse(text));
    if (result.success) return result.data;
    throw new BowlineError("checkpoint", `${path}: ${z.prettifyError(result.error)}`);
  } catch (cause) {
    if (BowlineError.is(cause)) throw cause;
    throw new BowlineError("checkpoint", `${path} is not JSON: ${errorMessage(cause)}`, { cause });
  }
}
