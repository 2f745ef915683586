/** The fields of `generation_config.json`, as transformers 5 and earlier versions write it. */
import { z } from "zod";
import { computed, defineFormat, harmless, named, namedUnless } from "../../core/index.ts";

const id = z.number().int().nonnegative();
/** One stop id, several, or none. */
export const stopSchema = z.union([id, z.array(id)]).nullish();

const samplingNote = "a run samples from the whole distribution, whose log-probs it trains";
const searchNote = "a run samples, and never searches";
const lengthNote = "a run has its own limits";
const lookNote = "it says what a program reports, not what is sampled";
const speedNote = "another way to the same samples";

const unless = (value: number, note: string) =>
  namedUnless(z.union([z.literal(value), z.literal(false)]), String(value), note);
const unlessFalse = (note: string) => namedUnless(z.literal(false), "false", note);
const unlessEmpty = (note: string) =>
  namedUnless(z.union([z.array(z.unknown()).length(0), z.literal(false)]), "an empty list", note);

/** Filters of the distribution. They change nothing where the best token is always taken. */
const filters = {
  top_k: unless(0, samplingNote),
  top_p: unless(1, samplingNote),
  min_p: unless(0, samplingNote),
  top_h: named(samplingNote),
  typical_p: unless(1, samplingNote),
  epsilon_cutoff: unless(0, samplingNote),
  eta_cutoff: unless(0, samplingNote),
} as const;
export const FILTER_FIELDS: readonly string[] = Object.keys(filters);

export const generationFormat = defineFormat({
  name: "generation_config.json",
  unknown: "named",
  fields: {
    eos_token_id: computed(stopSchema, "the ids that end a turn"),
    do_sample: computed(z.boolean().nullish(), "false means the best token each time"),
    temperature: computed(z.number().nonnegative().nullish(), "the default is 1"),
    ...filters,
    repetition_penalty: unless(1, samplingNote),
    encoder_repetition_penalty: unless(1, samplingNote),
    no_repeat_ngram_size: unless(0, samplingNote),
    encoder_no_repeat_ngram_size: unless(0, samplingNote),
    bad_words_ids: unlessEmpty(samplingNote),
    suppress_tokens: unlessEmpty(samplingNote),
    begin_suppress_tokens: unlessEmpty(samplingNote),
    sequence_bias: unlessEmpty(samplingNote),
    forced_bos_token_id: named(samplingNote),
    forced_eos_token_id: named(samplingNote),
    exponential_decay_length_penalty: named(samplingNote),
    guidance_scale: unless(1, samplingNote),
    watermarking_config: named(samplingNote),
    token_healing: unlessFalse(samplingNote),
    renormalize_logits: unlessFalse(samplingNote),
    remove_invalid_values: unlessFalse(samplingNote),
    num_beams: unless(1, searchNote),
    num_beam_groups: unless(1, searchNote),
    diversity_penalty: unless(0, searchNote),
    length_penalty: unless(1, searchNote),
    early_stopping: unlessFalse(searchNote),
    penalty_alpha: unless(0, searchNote),
    constraints: unlessEmpty(searchNote),
    force_words_ids: unlessEmpty(searchNote),
    dola_layers: named(searchNote),
    num_return_sequences: unless(1, "a run decides how often it samples"),
    max_length: named(lengthNote),
    max_new_tokens: named(lengthNote),
    min_length: unless(0, lengthNote),
    min_new_tokens: unless(0, lengthNote),
    max_time: named(lengthNote),
    stop_strings: unlessEmpty("only ids end a turn"),
    bos_token_id: harmless("the tokenizer and its template say how a text starts"),
    pad_token_id: harmless("rows are padded by the engine itself"),
    decoder_start_token_id: harmless("models here have no encoder"),
    transformers_version: harmless("it says who wrote the file"),
    _from_model_config: harmless("it says where the file comes from"),
    return_dict_in_generate: harmless(lookNote),
    "output_*": harmless(lookNote),
    use_cache: harmless(speedNote),
    "cache_*": harmless(speedNote),
    max_cache_len: harmless(speedNote),
    low_memory: harmless(speedNote),
    prefill_chunk_size: harmless(speedNote),
    compile_config: harmless(speedNote),
    disable_compile: harmless(speedNote),
    continuous_batching_config: harmless(speedNote),
    use_mtp: harmless(speedNote),
    speculation_type: harmless(speedNote),
    is_assistant: harmless(speedNote),
    "num_assistant_*": harmless(speedNote),
    "assistant_*": harmless(speedNote),
    target_lookbehind: harmless(speedNote),
    prompt_lookup_num_tokens: harmless(speedNote),
    max_matching_ngram_size: harmless(speedNote),
  },
});
